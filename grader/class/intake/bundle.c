/* bundle.c: the files of small tasks, put together. */
#include "class/intake/bundle.h"

#include "base/file.h"

#include <ctype.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { KEY = 6 }; /* bytes of a name that say which task: "task01" */

bool bundle_is_task(const char *file) {
    size_t length = strlen(file);
    return length > KEY + 3 && length < sizeof((struct bundle_file *)NULL)->name &&
           strncasecmp(file, "task", 4) == 0 && isdigit((unsigned char)file[4]) &&
           isdigit((unsigned char)file[5]) && !isdigit((unsigned char)file[6]) &&
           strcasecmp(file + length - 3, ".cu") == 0 && strcspn(file, " \t\n") == length;
}

void bundle_put(struct drafts *drafts, struct draft *draft, const char *path, const char *file,
                const struct draft_place *place, const char *refusal, const uint8_t *bytes, size_t size) {
    struct bundle_file *found = NULL;
    if (refusal != NULL) {
        drafts_note(drafts, &draft->out.notes, "%s is not taken: %s.", path, refusal);
        return;
    }
    for (size_t i = 0; i < draft->file_count; i++)
        if (strncasecmp(draft->files[i].name, file, KEY) == 0)
            found = &draft->files[i];
    if (found != NULL && !place_is_better(&found->place, found->path, place, path, NULL))
        return;
    char *copy = malloc(size + 1), *where = strdup(path);
    if (found == NULL && copy != NULL && where != NULL) {
        struct bundle_file *grown = realloc(draft->files, (draft->file_count + 1) * sizeof *grown);
        if (grown != NULL) {
            draft->files = grown;
            found = &grown[draft->file_count++];
            *found = (struct bundle_file){.size = 0};
        }
    }
    if (found == NULL || copy == NULL || where == NULL) {
        free(copy);
        free(where);
        drafts->no_memory = true;
        return;
    }
    memcpy(copy, bytes, size);
    free(found->bytes);
    free(found->path);
    *found = (struct bundle_file){.bytes = copy, .size = size, .path = where, .place = *place};
    snprintf(found->name, sizeof found->name, "%s", file);
}

static int by_name(const void *a, const void *b) {
    return strcasecmp(((const struct bundle_file *)a)->name, ((const struct bundle_file *)b)->name);
}

static char *together(struct bundle_file *files, size_t count, size_t *length) {
    char *text = NULL;
    FILE *to = open_memstream(&text, length);
    if (to == NULL)
        return NULL;
    qsort(files, count, sizeof *files, by_name);
    for (size_t i = 0; i < count; i++) {
        fprintf(to, "//// %s %zu bytes\n", files[i].name, files[i].size);
        fwrite(files[i].bytes, 1, files[i].size, to);
    }
    bool right = !ferror(to);
    if (fclose(to) == 0 && right)
        return text;
    free(text);
    return NULL;
}

static void free_files(struct bundle_file *files, size_t count) {
    for (size_t i = 0; i < count; i++) {
        free(files[i].bytes);
        free(files[i].path);
    }
    free(files);
}

/* In a copy of the kit those below solutions/ are the kit's own. */
static void drop_kits_own(struct draft *draft) {
    size_t kept = 0;
    for (size_t i = 0; i < draft->file_count; i++) {
        struct bundle_file file = draft->files[i];
        if (!draft->kit || file.place.rank > 0) {
            draft->files[kept++] = file;
            continue;
        }
        free(file.bytes);
        free(file.path);
    }
    draft->file_count = kept;
}

static bool keep(struct drafts *drafts, struct draft *draft, const char *store, char *error, size_t size) {
    struct submission *out = &draft->out;
    size_t length;
    drop_kits_own(draft);
    if (draft->file_count == 0)
        return true;
    char *text = together(draft->files, draft->file_count, &length), *path = strdup(draft->files[0].path);
    bool right = text != NULL && path != NULL;
    if (!right)
        snprintf(error, size, "out of memory");
    if (right && length > KERNEL_LIMIT) {
        drafts_note(drafts, &out->notes, "The files of the tasks are larger than 1 MiB: none is taken.");
    } else if (right) {
        kernel_sha256((const uint8_t *)text, length, out->sha256);
        right =
            store == NULL || kernel_store_put(store, (const uint8_t *)text, length, out->sha256, error, size);
        free(out->path);
        out->path = path;
        out->size = (uint32_t)length;
        draft->place.rank = 1;
        path = NULL;
    }
    free(text);
    free(path);
    return right;
}

/* Is another lab's folder of the student's one of a copy of the kit? */
static bool is_in_kit(const struct drafts *drafts, const struct draft *draft) {
    bool kit = draft->kit;
    for (size_t i = 0; !kit && i < drafts->count; i++)
        kit = drafts->items[i].kit && strcmp(drafts->items[i].out.student, draft->out.student) == 0 &&
              strcmp(drafts->items[i].out.claim, draft->out.claim) == 0;
    return kit;
}

bool bundle_keep(struct drafts *drafts, const char *store, char *error, size_t size) {
    bool right = true;
    for (size_t i = 0; i < drafts->count; i++) {
        if (drafts->items[i].tasks)
            drafts->items[i].kit = is_in_kit(drafts, &drafts->items[i]);
        right = right && keep(drafts, &drafts->items[i], store, error, size);
        free_files(drafts->items[i].files, drafts->items[i].file_count);
        drafts->items[i].files = NULL;
        drafts->items[i].file_count = 0;
    }
    return right;
}

char *bundle_of_folder(const char *folder, size_t *length, char *error, size_t size) {
    char pattern[PATH_SIZE], *text = NULL;
    glob_t found;
    if (!path_join(pattern, folder, "task[0-9][0-9]-*.cu") || glob(pattern, 0, NULL, &found) != 0) {
        snprintf(error, size, "%.900s: no tasks are there", folder);
        return NULL;
    }
    struct bundle_file *files = calloc(found.gl_pathc, sizeof *files);
    bool right = files != NULL;
    snprintf(error, size, "out of memory");
    for (size_t i = 0; right && i < found.gl_pathc; i++) {
        snprintf(files[i].name, sizeof files->name, "%s", strrchr(found.gl_pathv[i], '/') + 1);
        files[i].bytes = file_read(found.gl_pathv[i], KERNEL_LIMIT, &files[i].size, error, size);
        right = files[i].bytes != NULL;
    }
    text = right ? together(files, found.gl_pathc, length) : NULL;
    if (files != NULL)
        free_files(files, found.gl_pathc);
    globfree(&found);
    return text;
}
