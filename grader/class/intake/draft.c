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
            strcmp(drafts->items[i].out.claim, member->claim) == 0 &&
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
    *draft = (struct draft){.kernels = 0};
    snprintf(draft->out.lab, sizeof draft->out.lab, "%s", lab);
    draft->out.student = strdup(member->id);
    draft->out.name = strdup(member->name);
    draft->out.email = strdup(member->email);
    draft->out.path = strdup("");
    draft->out.claim = strdup(member->claim);
    draft->out.word = member->word;
    if (draft->out.claim == NULL || draft->out.student == NULL || draft->out.name == NULL ||
        draft->out.email == NULL || draft->out.path == NULL) {
        free(draft->out.student);
        free(draft->out.name);
        free(draft->out.email);
        free(draft->out.path);
        free(draft->out.claim);
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

void drafts_stray(struct drafts *drafts, const char *format, ...) {
    char sentence[TREE_PATH + 256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    char **grown = realloc(drafts->strays, (drafts->stray_count + 1) * sizeof *grown);
    if (grown != NULL)
        drafts->strays = grown;
    char *copy = grown != NULL ? strdup(sentence) : NULL;
    if (copy == NULL)
        drafts->no_memory = true;
    else
        grown[drafts->stray_count++] = copy;
}

bool draft_is_better(struct draft *draft, const struct draft_place *place, const char *path) {
    const struct draft_place *has = &draft->place;
    if (draft->out.sha256[0] == '\0')
        return true;
    size_t mine = strlen(path), theirs = strlen(draft->out.path);
    enum draft_reason reason = place->rank != has->rank                                         ? DRAFT_PLACE
                               : place->order != has->order || place->modified != has->modified ? DRAFT_NEWEST
                               : strcmp(path, draft->out.path) != 0                             ? DRAFT_PATH
                                                                                                : DRAFT_LAST;
    bool better = place->rank != has->rank           ? place->rank > has->rank
                  : place->order != has->order       ? place->order > has->order
                  : place->modified != has->modified ? place->modified > has->modified
                  : mine != theirs                   ? mine < theirs
                                                     : strcmp(path, draft->out.path) <= 0;
    draft->reason = better || reason > draft->reason ? reason : draft->reason;
    return better;
}

/* Why no kernel of the draft's is taken, for the student. */
static char *problem_of(const struct draft *draft) {
    static const char own_name[] = "kernel.cu ";
    char *problem = NULL;
    const char *why = draft->refusal;
    bool named = strncmp(why, own_name, sizeof own_name - 1) == 0;
    if (draft->out.sha256[0] != '\0')
        return strdup("");
    if (draft->kit)
        return strdup("In this copy of the kit there is no kernel.cu in the lab's folder.");
    if (draft->kernels == 0)
        return strdup(draft->other_cuda
                          ? "There is no kernel.cu. Name your file kernel.cu and hand it in again."
                          : "There is no kernel.cu in what was handed in.");
    if (asprintf(&problem, "The kernel.cu cannot be taken: %s%s", named ? "it " : "",
                 named ? why + sizeof own_name - 1 : why) < 0)
        return NULL;
    return problem;
}

static void finish(struct drafts *drafts, struct draft *draft) {
    static const char *const reasons[] = {[DRAFT_NEWEST] = "the newest",
                                          [DRAFT_PLACE] = "the one in the lab's folder",
                                          [DRAFT_PATH] = "of equally new ones the one with the shortest path",
                                          [DRAFT_LAST] = "of equally new ones the last in the archive"};
    struct submission *out = &draft->out;
    /* the kit's own, whatever the student's has become */
    if (draft->kit && draft->place.rank == 0)
        out->sha256[0] = '\0';
    out->problem = problem_of(draft);
    if (out->problem == NULL)
        drafts->no_memory = true;
    if (draft->kit && out->sha256[0] != '\0') { /* its other files are no news */
        free(out->notes);
        out->notes = NULL;
    }
    if (draft->kit && out->sha256[0] != '\0')
        drafts_note(drafts, &out->notes,
                    "This is a copy of the kit; the kernel.cu of the lab's folder counts: %s.", out->path);
    else if (out->sha256[0] != '\0' && draft->kernels > 1)
        drafts_note(drafts, &out->notes, "%u files are named kernel.cu; %s counts: %s.", draft->kernels,
                    reasons[draft->reason], out->path);
    if (!draft->kit && draft->ignored > 0 && draft->first_ignored != NULL)
        drafts_note(drafts, &out->notes, "Only kernel.cu is taken; ignored: %s%s.", draft->first_ignored,
                    draft->ignored > 1 ? " and others" : "");
    if (out->notes == NULL && (out->notes = strdup("")) == NULL)
        drafts->no_memory = true;
    free(draft->first_ignored);
}

static int by_student(const void *a, const void *b) {
    const struct submission *one = a, *other = b;
    int order = strcmp(one->student, other->student);
    if (order == 0)
        order = strcmp(one->claim, other->claim);
    return order != 0 ? order : strcmp(one->lab, other->lab);
}

static bool is_of(const struct labless *labless, const char *id, const char *claim) {
    return strcmp(labless->id, id) == 0 && strcmp(labless->claim, claim) == 0;
}

void drafts_labless(struct drafts *drafts, const struct member *member, const char *lab) {
    size_t count = drafts->labless_count;
    /* a student's files come in a row */
    for (size_t i = count; i-- > 0 && is_of(&drafts->labless[i], member->id, member->claim);)
        if (strcmp(drafts->labless[i].lab, lab) == 0)
            return;
    struct labless *grown = realloc(drafts->labless, (count + 1) * sizeof *grown);
    if (grown == NULL) {
        drafts->no_memory = true;
        return;
    }
    drafts->labless = grown;
    grown[count] = (struct labless){.id = strdup(member->id), .claim = strdup(member->claim)};
    snprintf(grown[count].lab, sizeof grown[count].lab, "%s", lab);
    if (grown[count].id != NULL && grown[count].claim != NULL) {
        drafts->labless_count++;
        return;
    }
    free(grown[count].id);
    free(grown[count].claim);
    drafts->no_memory = true;
}

/* Who handed in nothing for a lab is for a human: one of the folders may have a wrong name. */
static void end_labless(struct drafts *drafts) {
    for (size_t i = 0; i < drafts->labless_count; i++) {
        struct labless *labless = &drafts->labless[i];
        bool found = false;
        for (size_t d = 0; d < drafts->count; d++) {
            if (!is_of(labless, drafts->items[d].out.student, drafts->items[d].out.claim))
                continue;
            found = true;
            if (labless->lab[0] != '\0')
                drafts_note(drafts, &drafts->items[d].out.notes, "%s is no lab: not taken.", labless->lab);
        }
        if (!found && labless->lab[0] != '\0')
            drafts_stray(drafts, "%s: %s is no lab: not taken.", labless->claim, labless->lab);
        else if (!found)
            drafts_stray(drafts, "%s: no folder says for which lab it is.", labless->claim);
        free(labless->id);
        free(labless->claim);
    }
    free(drafts->labless);
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorted, each once. */
static void end_strays(struct drafts *drafts, struct submissions *submissions) {
    submissions->strays = drafts->strays;
    if (drafts->stray_count > 1)
        qsort(drafts->strays, drafts->stray_count, sizeof *drafts->strays, by_text);
    for (size_t i = 0; i < drafts->stray_count; i++) {
        size_t kept = submissions->stray_count;
        if (kept > 0 && strcmp(drafts->strays[kept - 1], drafts->strays[i]) == 0)
            free(drafts->strays[i]);
        else
            drafts->strays[submissions->stray_count++] = drafts->strays[i];
    }
}

bool drafts_end(struct drafts *drafts, struct submissions *submissions) {
    end_labless(drafts);
    submissions->items = calloc(drafts->count + 1, sizeof *submissions->items);
    submissions->count = submissions->items != NULL ? drafts->count : 0;
    for (size_t i = 0; i < submissions->count; i++) {
        finish(drafts, &drafts->items[i]);
        submissions->items[i] = drafts->items[i].out;
    }
    if (submissions->items != NULL)
        qsort(submissions->items, submissions->count, sizeof *submissions->items, by_student);
    free(drafts->items);
    end_strays(drafts, submissions);
    return submissions->items != NULL && !drafts->no_memory;
}
