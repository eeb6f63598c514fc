/* draft.c: finding, noting, comparing and ending drafts. */
#include "class/intake/draft.h"

#include "class/intake/tree.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { NOTES_LIMIT = 1500, PREDICTION_LIMIT = 500 };

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

bool place_is_better(const struct draft_place *has, const char *has_path, const struct draft_place *place,
                     const char *path, enum draft_reason *reason) {
    size_t mine = strlen(path), theirs = strlen(has_path);
    if (reason != NULL)
        *reason = place->rank != has->rank                                         ? DRAFT_PLACE
                  : place->order != has->order || place->modified != has->modified ? DRAFT_NEWEST
                  : strcmp(path, has_path) != 0                                    ? DRAFT_PATH
                                                                                   : DRAFT_LAST;
    return place->rank != has->rank           ? place->rank > has->rank
           : place->order != has->order       ? place->order > has->order
           : place->modified != has->modified ? place->modified > has->modified
           : mine != theirs                   ? mine < theirs
                                              : strcmp(path, has_path) <= 0;
}

bool draft_is_better(struct draft *draft, const struct draft_place *place, const char *path,
                     const char *sha256) {
    enum draft_reason reason;
    if (draft->out.sha256[0] == '\0')
        return true;
    bool better = place_is_better(&draft->place, draft->out.path, place, path, &reason);
    bool differs = reason == DRAFT_PATH && strcmp(draft->out.sha256, sha256) != 0;
    draft->out.guess = differs || (draft->out.guess && !(better && reason < DRAFT_PATH));
    draft->reason = better || reason > draft->reason ? reason : draft->reason;
    return better;
}

void drafts_predict(struct drafts *drafts, struct draft *draft, const char *path,
                    const struct draft_place *place, const char *refusal, const uint8_t *bytes,
                    ssize_t size) {
    char **kept = &draft->out.prediction;
    if (refusal == NULL && size > PREDICTION_LIMIT)
        refusal = "it is larger than 500 bytes";
    if (refusal != NULL) {
        drafts_note(drafts, &draft->out.notes, "%s is not taken: %s.", path, refusal);
        return;
    }
    if (*kept != NULL && !place_is_better(&draft->predicted, "", place, "", NULL))
        return;
    free(*kept);
    *kept = strndup((const char *)bytes, (size_t)size);
    for (char *c = *kept; c != NULL && *c != '\0'; c++)
        *c = isspace((unsigned char)*c) ? ' ' : *c;
    draft->predicted = *place;
    drafts->no_memory = drafts->no_memory || *kept == NULL;
}

static void forget_notes(struct submission *out) {
    free(out->notes);
    out->notes = NULL;
}

/* Nothing is named kernel.cu: the single other CUDA file, where the policy takes it. */
static bool take_odd(struct drafts *drafts, struct draft *draft) {
    struct submission *out = &draft->out;
    struct draft_odd *odd = &draft->odd;
    if (draft->kernels > 0 || draft->tasks || draft->kit || odd->count != 1 || odd->path == NULL)
        return false;
    memcpy(out->sha256, odd->sha256, sizeof out->sha256);
    out->size = odd->size;
    out->submitted = odd->submitted;
    out->from_file = odd->from_file;
    free(out->path);
    out->path = odd->path;
    odd->path = NULL;
    forget_notes(out);
    drafts_note(drafts, &out->notes, "There is no kernel.cu; the only CUDA file is taken: %s.", out->path);
    return true;
}

/* Why no kernel of the draft's is taken, for the student; for the caller to free. */
static char *problem_of(const struct draft *draft) {
    char *problem = NULL;
    if (draft->out.sha256[0] != '\0')
        return strdup("");
    if (draft->tasks)
        return strdup("There is no file of a task (task01-....cu) in what was handed in.");
    if (draft->kit)
        return strdup("In this copy of the kit there is no kernel.cu in the lab's folder.");
    if (draft->kernels == 0 && draft->elsewhere[0] != '\0')
        return asprintf(&problem, "The kernel.cu lies in the folder of %s: not taken.", draft->elsewhere) < 0
                   ? NULL
                   : problem;
    if (draft->kernels == 0)
        return strdup(draft->odd.count > 0
                          ? "There is no kernel.cu. Name your file kernel.cu and hand it in again."
                          : "There is no kernel.cu in what was handed in.");
    return asprintf(&problem, "The kernel.cu cannot be taken: %s.", draft->refusal) < 0 ? NULL : problem;
}

/* Which of several counts. */
static void say_which(struct drafts *drafts, struct draft *draft) {
    static const char *const reasons[] = {[DRAFT_NEWEST] = "the newest",
                                          [DRAFT_PLACE] = "the one in the lab's folder",
                                          [DRAFT_PATH] = "of equally new ones the one with the shortest path",
                                          [DRAFT_LAST] = "of equally new ones the last in the archive"};
    struct submission *out = &draft->out;
    if (draft->kit && !draft->tasks)
        drafts_note(drafts, &out->notes,
                    "This is a copy of the kit; the kernel.cu of the lab's folder counts: %s.", out->path);
    else if (draft->kernels > 1)
        drafts_note(drafts, &out->notes, "%u files are named kernel.cu; %s counts: %s.", draft->kernels,
                    reasons[draft->reason], out->path);
}

static void finish(struct drafts *drafts, struct draft *draft) {
    struct submission *out = &draft->out;
    /* the kit's own, whatever the student's has become */
    if (draft->kit && draft->place.rank == 0)
        out->sha256[0] = '\0';
    bool odd = take_odd(drafts, draft), taken = out->sha256[0] != '\0';
    out->kit = draft->kit;
    out->several = draft->kernels > 1 && !draft->kit;
    out->problem = problem_of(draft);
    if (draft->kit) /* its other files are no news */
        forget_notes(out);
    if (taken)
        say_which(drafts, draft);
    else if (draft->kit && draft->refusal[0] != '\0')
        drafts_note(drafts, &out->notes, "A kernel.cu in it is not taken: %s.", draft->refusal);
    if (!draft->kit && !odd && draft->ignored > 0 && draft->first_ignored != NULL)
        drafts_note(drafts, &out->notes, "Only %s taken; ignored: %s%s.",
                    draft->tasks ? "files of tasks are" : "kernel.cu is", draft->first_ignored,
                    draft->ignored > 1 ? " and others" : "");
    if (out->notes == NULL)
        out->notes = strdup("");
    if (out->problem == NULL || out->notes == NULL)
        drafts->no_memory = true;
    free(draft->first_ignored);
    free(draft->odd.path);
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

void drafts_elsewhere(struct drafts *drafts, struct draft *draft, const struct member *member,
                      const char *path, const char *lab, bool known) {
    snprintf(draft->elsewhere, sizeof draft->elsewhere, "%s", lab);
    drafts_note(drafts, &draft->out.notes, "%s is not taken: its folder is that of %s.", path, lab);
    if (!known)
        drafts_labless(drafts, member, lab);
}

bool drafts_have_lab(const struct drafts *drafts, const char *path, char *error, size_t size) {
    if (drafts->count > 0 || !drafts->without_lab)
        return true;
    return fails(error, size, "%.600s: no folder in it names a lab (lab1/, lab2/, ...): give LAB=lab1", path);
}

/* Who handed in nothing for a lab is for a human: one of the folders may have a wrong name. */
static void end_labless(struct drafts *drafts) {
    for (size_t i = 0; i < drafts->labless_count; i++) {
        struct labless *labless = &drafts->labless[i];
        bool found = false;
        for (size_t d = 0; d < drafts->count; d++) {
            if (!is_of(labless, drafts->items[d].out.student, drafts->items[d].out.claim))
                continue;
            found = found || labless->lab[0] == '\0' || drafts->items[d].out.sha256[0] != '\0';
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

struct form {
    char text[LAYOUT_NAME * 3]; /* the normal form of a student's id */
    const char *lab, *claim;
    size_t draft;
};

static int by_form(const void *a, const void *b) {
    const struct form *one = a, *other = b;
    int order = strcmp(one->text, other->text);
    if (order == 0)
        order = strcmp(one->lab, other->lab);
    return order != 0 ? order : strcmp(one->claim, other->claim);
}

/* Two ids that are one name, its accents written in two ways, are two claims to one student: a
 * human decides. Where both are of one lab, the plan tells the human. */
static bool join_forms(struct drafts *drafts) {
    struct form *forms = calloc(drafts->count + 1, sizeof *forms);
    for (size_t i = 0; forms != NULL && i < drafts->count; i++) {
        forms[i].draft = i;
        forms[i].lab = drafts->items[i].out.lab;
        forms[i].claim = drafts->items[i].out.claim;
        text_normal(forms[i].text, sizeof forms[i].text, drafts->items[i].out.student);
    }
    if (forms != NULL)
        qsort(forms, drafts->count, sizeof *forms, by_form);
    for (size_t i = 1; forms != NULL && i < drafts->count; i++) {
        char **mine = &drafts->items[forms[i].draft].out.student;
        const char *first = drafts->items[forms[i - 1].draft].out.student;
        if (strcmp(forms[i].text, forms[i - 1].text) != 0 || strcmp(*mine, first) == 0)
            continue;
        if (strcmp(forms[i].lab, forms[i - 1].lab) != 0)
            drafts_stray(drafts,
                         "%s: two parts of the download have this name, its accents written in two ways.",
                         first);
        char *copy = strdup(first);
        drafts->no_memory = drafts->no_memory || copy == NULL;
        if (copy == NULL)
            break;
        free(*mine);
        *mine = copy;
    }
    free(forms);
    return forms != NULL;
}

bool drafts_end(struct drafts *drafts, struct submissions *submissions) {
    end_labless(drafts);
    drafts->no_memory = !join_forms(drafts) || drafts->no_memory;
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

void submissions_free(struct submissions *submissions) {
    for (size_t i = 0; i < submissions->count; i++) {
        struct submission *item = &submissions->items[i];
        free(item->student);
        free(item->claim);
        free(item->name);
        free(item->email);
        free(item->path);
        free(item->problem);
        free(item->prediction);
        free(item->notes);
    }
    free(submissions->items);
    for (size_t i = 0; i < submissions->stray_count; i++)
        free(submissions->strays[i]);
    free(submissions->strays);
    *submissions = (struct submissions){0};
}
