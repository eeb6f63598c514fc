/* draft.c: finding, noting, comparing and ending drafts. */
#include "class/intake/draft.h"

#include "class/intake/tree.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { NOTES_LIMIT = 1500 };

struct draft *drafts_find(struct drafts *drafts, const struct member *member, const char *lab) {
    /* a student's files come one after the other, mostly */
    for (size_t i = drafts->count; i-- > 0;)
        if (strcmp(drafts->items[i].out.student, member->id) == 0 &&
            strcmp(drafts->items[i].out.lab, lab) == 0)
            return &drafts->items[i];
    if (drafts->count == drafts->room) {
        size_t room = drafts->room == 0 ? 32 : drafts->room * 2;
        struct draft *grown = realloc(drafts->items, room * sizeof *grown);
        if (grown == NULL) {
            drafts->no_memory = true;
            return NULL;
        }
        drafts->items = grown;
        drafts->room = room;
    }
    struct draft *draft = &drafts->items[drafts->count];
    *draft = (struct draft){.modified = INT64_MIN};
    snprintf(draft->out.lab, sizeof draft->out.lab, "%s", lab);
    draft->out.student = strdup(member->id);
    draft->out.name = strdup(member->name);
    draft->out.email = strdup(member->email);
    draft->out.path = strdup("");
    if (draft->out.student == NULL || draft->out.name == NULL || draft->out.email == NULL ||
        draft->out.path == NULL) {
        free(draft->out.student);
        free(draft->out.name);
        free(draft->out.email);
        free(draft->out.path);
        drafts->no_memory = true;
        return NULL;
    }
    drafts->count++;
    return draft;
}

/* Add a sentence, once, while there is room. */
static void add_note(struct drafts *drafts, char **notes, const char *sentence) {
    size_t had = *notes != NULL ? strlen(*notes) : 0;
    if (had > NOTES_LIMIT || (had > 0 && strstr(*notes, sentence) != NULL))
        return;
    char *grown = realloc(*notes, had + strlen(sentence) + 2);
    if (grown == NULL) {
        drafts->no_memory = true;
        return;
    }
    *notes = grown;
    snprintf(grown + had, strlen(sentence) + 2, "%s%s", had > 0 ? " " : "", sentence);
}

void drafts_note(struct drafts *drafts, char **notes, const char *format, ...) {
    char sentence[TREE_PATH + 256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    add_note(drafts, notes, sentence);
}

bool draft_is_better(const struct draft *draft, int64_t submitted, int64_t modified, const char *path) {
    const struct submission *has = &draft->out;
    if (has->sha256[0] == '\0')
        return true;
    if (submitted != has->submitted)
        return submitted > has->submitted;
    if (modified != draft->modified)
        return modified > draft->modified;
    size_t mine = strlen(path), theirs = strlen(has->path);
    return mine != theirs ? mine < theirs : strcmp(path, has->path) < 0;
}

static void finish(struct drafts *drafts, struct draft *draft) {
    struct submission *out = &draft->out;
    if (out->sha256[0] == '\0')
        out->problem = strdup(draft->kernels > 0 ? "The kernel.cu cannot be taken."
                              : draft->other_cuda
                                  ? "There is no kernel.cu. Name your file kernel.cu and hand it in again."
                                  : "There is no kernel.cu in what was handed in.");
    else
        out->problem = strdup("");
    if (out->problem == NULL)
        drafts->no_memory = true;
    if (out->sha256[0] != '\0' && draft->kernels > 1)
        drafts_note(drafts, &out->notes, "%u files are named kernel.cu; the newest counts: %s.",
                    draft->kernels, out->path);
    if (draft->ignored > 0 && draft->first_ignored != NULL)
        drafts_note(drafts, &out->notes, "Only kernel.cu is taken; ignored: %s%s.", draft->first_ignored,
                    draft->ignored > 1 ? " and others" : "");
    if (out->notes == NULL && (out->notes = strdup("")) == NULL)
        drafts->no_memory = true;
    free(draft->first_ignored);
}

static int by_student(const void *a, const void *b) {
    const struct submission *one = a, *other = b;
    int order = strcmp(one->student, other->student);
    return order != 0 ? order : strcmp(one->lab, other->lab);
}

bool drafts_end(struct drafts *drafts, struct submissions *submissions) {
    submissions->items = calloc(drafts->count + 1, sizeof *submissions->items);
    submissions->count = submissions->items != NULL ? drafts->count : 0;
    for (size_t i = 0; i < submissions->count; i++) {
        finish(drafts, &drafts->items[i]);
        submissions->items[i] = drafts->items[i].out;
    }
    if (submissions->items != NULL)
        qsort(submissions->items, submissions->count, sizeof *submissions->items, by_student);
    free(drafts->items);
    return submissions->items != NULL && !drafts->no_memory;
}
