/* plan_like.c: what was handed in beside the kit's own files. */
#include "class/plan.h"

#include "base/file.h"
#include "class/intake/kernel_file.h"

#include <stdlib.h>
#include <string.h>

/* Does it include another lab's header? That lab's number; 0: no. */
static unsigned other_lab(const char *text, size_t length, const char *lab) {
    static const char include[] = "#include \"lab";
    for (const char *at = text;
         (at = memmem(at, length - (size_t)(at - text), include, sizeof include - 1)) != NULL;) {
        char *end;
        at += sizeof include - 1;
        unsigned long number = strtoul(at, &end, 10);
        if (end > at && end - at < 4 && strncmp(end, ".h\"", 3) == 0 && number != strtoul(lab + 3, NULL, 10))
            return (unsigned)number;
    }
    return 0;
}

const char *plan_likeness(struct plan *plan, const struct submission *submission) {
    const struct lab *lab = plan_find_lab(plan, submission->lab);
    char path[PATH_SIZE], folder[PATH_SIZE], error[TEXT_ERROR];
    size_t length, of[PLAN_SIDES] = {0};
    if (submission->sha256[0] == '\0' || lab == NULL || !path_join(folder, plan->book->folder, "kernels") ||
        !kernel_store_path(folder, submission->sha256, path))
        return "";
    char *text = file_read(path, KERNEL_LIMIT, &length, error, sizeof error), *kit[PLAN_SIDES];
    for (unsigned side = 0; side < PLAN_SIDES; side++)
        kit[side] =
            text != NULL ? plan_kit_file(plan, lab, side, &of[side]) : NULL; /* a lab need not have one */
    const char *starter = kit[PLAN_STARTER], *reference = kit[PLAN_REFERENCE];
    bool is_file = reference != NULL && length == of[PLAN_REFERENCE] && memcmp(text, reference, length) == 0,
         /* other numbers than the starter's are anybody's, the reference's among them */
        is_start = starter != NULL && likeness_same_but_numbers(text, length, starter, of[PLAN_STARTER]);
    const char *human = "";
    if (starter != NULL && likeness_same(text, length, starter, of[PLAN_STARTER]))
        human = "It is the starter, as it was handed out.";
    else if (is_file ||
             (reference != NULL && !is_start && likeness_same(text, length, reference, of[PLAN_REFERENCE])))
        human = "It is the kit's own solution.";
    unsigned other = text != NULL ? other_lab(text, length, submission->lab) : 0;
    if (other > 0) {
        snprintf(plan->wrong_lab, sizeof plan->wrong_lab, "It includes lab%u.h: is it lab%u's kernel?", other,
                 other);
        human = plan->wrong_lab;
    }
    plan->error[0] = '\0';
    for (unsigned side = 0; side < PLAN_SIDES; side++)
        free(kit[side]);
    free(text);
    return human;
}

/* Is it the starter in a copy of the kit, or not even that? */
static bool is_untouched(struct plan *plan, const struct submission *submission) {
    struct lab *lab = submission->kit ? malloc(sizeof *lab) : NULL;
    char error[TEXT_ERROR], sha256[KERNEL_SHA256] = "";
    size_t length;
    char *text = lab != NULL && policy_lab(plan->options->root, submission->lab, lab, error, sizeof error)
                     ? plan_kit_file(plan, lab, PLAN_STARTER, &length)
                     : NULL;
    if (text != NULL)
        kernel_sha256((const uint8_t *)text, length, sha256);
    plan->error[0] = '\0';
    free(text);
    free(lab);
    return submission->kit && (submission->sha256[0] == '\0' || strcmp(submission->sha256, sha256) == 0);
}

void plan_drop_untouched(struct plan *plan, struct submissions *submissions) {
    bool *touched = calloc(submissions->count + 1, sizeof *touched), any = false;
    for (size_t i = 0; touched != NULL && plan->options->lab == NULL && i < submissions->count; i++)
        any = (touched[i] = !is_untouched(plan, &submissions->items[i])) || any;
    for (size_t i = 0; any && i < submissions->count; i++) {
        struct submission *item = &submissions->items[i];
        bool wanted = touched[i];
        for (size_t other = 0; !wanted && other < submissions->count; other++)
            wanted = touched[other] && strcmp(submissions->items[other].lab, item->lab) == 0;
        if (!wanted)
            item->lab[0] = '\0';
    }
    free(touched);
}
