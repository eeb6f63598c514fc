/* fuzz_roster.c: any bytes as a class list, as a time in it, and as a name that is shown and looked for. */
#include "class/intake/roster.h"
#include "class/text.h"

#include <stdlib.h>
#include <string.h>

/* A student who is not found, or another one who is. */
static void check_student(const struct roster *roster, const struct roster_student *student) {
    struct roster_match match =
        roster_match(roster, &(struct roster_query){.id = student->id, .email = "", .name = ""});
    if (match.student != student &&
        (match.student != NULL || match.several[0] == NULL || match.several[0] == match.several[1]))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A cell by itself. */
static void read_cell(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1), clean[256], file[TEXT_FILE_NAME], key[256];
    int64_t seconds;
    if (text == NULL)
        abort();
    memcpy(text, data, size);
    text[size] = '\0';
    (void)worksheet_time_parse(text, &seconds);
    (void)text_parse_time(text, &seconds);
    text_clean(clean, sizeof clean, text);
    text_file_name(file, text);
    lookalike_key(text, key, sizeof key);
    if (!text_is_utf8((const uint8_t *)clean, strlen(clean)) || strpbrk(clean, "\n\x1b") != NULL ||
        strchr(file, '/') != NULL || file[0] == '.' || file[0] == '\0' || strlen(key) >= sizeof key)
        abort();
    free(text);
}

/* A student who is not found, or another one who is. */
static void check_student(const struct roster *roster, const struct roster_student *student) {
    struct roster_match match =
        roster_match(roster, &(struct roster_query){.id = student->id, .email = "", .name = ""});
    if (match.student != student &&
        (match.student != NULL || match.several[0] == NULL || match.several[0] == match.several[1]))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct roster roster;
    char error[256] = "";
    read_cell(data, size);
    if (roster_parse(&roster, (const char *)data, size, "fuzz.csv", error, sizeof error)) {
        for (size_t i = 0; i < roster.count && i < 8; i++)
            check_student(&roster, &roster.students[i]);
        roster_find(&roster, false, "", "", "jane doe");
        roster_free(&roster);
    } else if (*error == '\0' || strchr(error, '\n') != NULL) {
        abort(); /* refused without saying why, in one line */
    }
    return 0;
}
