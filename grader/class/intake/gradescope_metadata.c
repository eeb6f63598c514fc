/* The export is YAML of one fixed shape, written by a program:
 *
 *   submission_123:
 *     :submitters:
 *     - :name: Jane Doe
 *       :sid: '1234'
 *       :email: jane@example.edu
 *     :created_at: 2026-03-01 16:24:05.349160000 Z
 *     :history:
 *     - ...
 */
#include "class/intake/layout.h"

#include "base/ini.h"
#include "class/text.h"

#include <stdlib.h>
#include <string.h>

enum { VALUE = 256 };

struct parser {
    struct gradescope_metadata *metadata;
    char folder[VALUE];
    char section[32]; /* the key of two spaces that we are in */
    size_t first;     /* of this folder's submitters */
    size_t item;      /* where the keys of a submitter stand: what stands deeper is a text of several lines */
};

static bool set(char **field, const char *text) {
    char *copy = strdup(text);
    if (copy == NULL)
        return false;
    free(*field);
    *field = copy;
    return true;
}

static bool add_submitter(struct parser *p) {
    struct gradescope_metadata *m = p->metadata;
    struct gradescope_submitter *grown = realloc(m->items, (m->count + 1) * sizeof *grown);
    if (grown == NULL)
        return false;
    m->items = grown;
    grown[m->count] = (struct gradescope_submitter){0};
    struct gradescope_submitter *item = &grown[m->count++];
    return set(&item->folder, p->folder) && set(&item->name, "") && set(&item->sid, "") &&
           set(&item->email, "");
}

/* "key: 'value'" without its quotes and with escapes of a double-quoted text left as they are. */
static void split(char *line, char **key, char **value) {
    *key = line;
    *value = line + strlen(line);
    char *colon = strstr(line, ": ");
    if (colon != NULL) {
        *colon = '\0';
        *value = ini_trim(colon + 2);
    } else if (**key != '\0' && line[strlen(line) - 1] == ':') {
        line[strlen(line) - 1] = '\0';
    }
    size_t length = strlen(*value);
    if (length >= 2 && (**value == '\'' || **value == '"') && (*value)[length - 1] == **value) {
        (*value)[length - 1] = '\0';
        (*value)++;
    }
    *key = ini_trim(*key);
}

static bool read_line(struct parser *p, char *line) {
    size_t indent = strspn(line, " ");
    char *key, *value, clean[VALUE];
    char *rest = line + indent;
    if (*rest == '\0' || *rest == '#')
        return true;
    bool item = strncmp(rest, "- ", 2) == 0;
    split(rest + (item ? 2 : 0), &key, &value);
    if (indent == 0 && !item) {
        text_clean(p->folder, sizeof p->folder, key);
        p->section[0] = '\0';
        p->first = p->metadata->count;
        return true;
    }
    if (indent == 2 && !item) {
        snprintf(p->section, sizeof p->section, "%s", key);
        int64_t created;
        if (strcmp(key, ":created_at") == 0 && text_parse_time(value, &created))
            for (size_t i = p->first; i < p->metadata->count; i++)
                p->metadata->items[i].created = created;
        return true;
    }
    if (strcmp(p->section, ":submitters") != 0 || strncmp(p->folder, "submission_", 11) != 0)
        return true;
    if (item && (p->metadata->count == p->first || indent + 2 <= p->item)) {
        if (!add_submitter(p))
            return false;
        p->item = indent + 2;
    } else if (item || indent != p->item) {
        return true;
    }
    if (p->metadata->count <= p->first)
        return true;
    struct gradescope_submitter *submitter = &p->metadata->items[p->metadata->count - 1];
    text_clean(clean, sizeof clean, value);
    return strcmp(key, ":name") == 0    ? set(&submitter->name, clean)
           : strcmp(key, ":sid") == 0   ? set(&submitter->sid, clean)
           : strcmp(key, ":email") == 0 ? set(&submitter->email, clean)
                                        : true;
}

bool gradescope_metadata_parse(struct gradescope_metadata *metadata, const char *text, size_t length) {
    struct parser p = {.metadata = metadata};
    *metadata = (struct gradescope_metadata){0};
    for (size_t at = 0; at < length;) {
        const char *end = memchr(text + at, '\n', length - at);
        size_t span = end != NULL ? (size_t)(end - text) - at : length - at;
        char line[1024];
        if (span < sizeof line && memchr(text + at, '\0', span) == NULL) {
            memcpy(line, text + at, span);
            line[span] = '\0';
            if (span > 0 && line[span - 1] == '\r')
                line[span - 1] = '\0';
            if (!read_line(&p, line)) {
                gradescope_metadata_free(metadata);
                return false;
            }
        }
        at += span + 1;
    }
    return true;
}

void gradescope_metadata_free(struct gradescope_metadata *metadata) {
    for (size_t i = 0; i < metadata->count; i++) {
        struct gradescope_submitter *item = &metadata->items[i];
        free(item->folder);
        free(item->name);
        free(item->sid);
        free(item->email);
    }
    free(metadata->items);
    *metadata = (struct gradescope_metadata){0};
}
