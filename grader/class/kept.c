/* kept.c: settings of the gradebook, each by its lab's name. */
#include "class/kept.h"

#include <string.h>

static const char *setting(char name[48], const char *what, const char *lab) {
    snprintf(name, 48, "%s%s%s", what, lab != NULL ? " " : "", lab != NULL ? lab : "");
    return name;
}

bool kept_put(struct gradebook *book, const char *lab, const char *layout, const char *roster) {
    char name[48];
    return gradebook_set(book, setting(name, "layout", lab), layout) &&
           (roster == NULL || (gradebook_set(book, setting(name, "roster file", lab), roster) &&
                               gradebook_set(book, "roster file", roster)));
}

bool kept_layout_is(struct gradebook *book, const char *lab, const char *title) {
    char name[48], kept[64];
    return gradebook_get(book, setting(name, "layout", lab), kept, sizeof kept) && strcmp(kept, title) == 0;
}

bool kept_roster(struct gradebook *book, const char *lab, struct roster *roster, char *error, size_t size) {
    char name[48];
    *error = '\0';
    sqlite3_stmt *row = gradebook_prepare(book, "SELECT value FROM settings WHERE name = ?", "s",
                                          setting(name, "roster file", lab));
    if (row == NULL) {
        snprintf(error, size, "%s", book->error);
        return false;
    }
    bool right = false;
    if (sqlite3_step(row) == SQLITE_ROW) {
        const char *text = gradebook_text(row, 0);
        right = roster_parse(roster, text, strlen(text), "the roster", error, size);
    }
    sqlite3_finalize(row);
    return right;
}
