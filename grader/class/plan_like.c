/* plan_like.c: what was handed in beside the kit's own files. */
#include "class/plan.h"

#include "base/file.h"
#include "class/intake/kernel_file.h"

#include <stdlib.h>
#include <string.h>

const char *plan_likeness(struct plan *plan, const struct submission *submission) {
    static const char *const known[PLAN_SIDES] = {"It is the starter, as it was handed out.",
                                                  "It is the kit's own solution."};
    const struct lab *lab = plan_find_lab(plan, submission->lab);
    char path[PATH_SIZE], folder[PATH_SIZE], error[TEXT_ERROR];
    size_t length, other_length;
    const char *human = "";
    if (submission->sha256[0] == '\0' || lab == NULL || !path_join(folder, plan->book->folder, "kernels") ||
        !kernel_store_path(folder, submission->sha256, path))
        return human;
    char *text = file_read(path, KERNEL_LIMIT, &length, error, sizeof error);
    for (unsigned side = 0; text != NULL && side < PLAN_SIDES; side++) {
        char *other = plan_kit_file(plan, lab, side, &other_length); /* a lab need not have one */
        if (other != NULL && likeness_same(text, length, other, other_length))
            human = known[side];
        free(other);
    }
    plan->error[0] = '\0';
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
