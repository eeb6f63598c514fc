/* What feedback is made of, whatever its form. Of a result it takes the message, the detail, the flags, the
 * goals and the student's own run; never the cases, whose inputs are secret. */
#include "class/export/export.h"

#include <string.h>

unsigned feedback_worst_lines(const struct report_run *run, struct feedback_line lines[FEEDBACK_LINES]) {
    unsigned count = 0;
    for (uint32_t k = 0; k < run->kernel_count; k++)
        for (uint32_t i = 0; i < run->kernels[k].line_count; i++) {
            const struct kernel_line *from = &run->kernels[k].lines[i];
            const char *file = from->file != NULL ? from->file : "", *slash = strrchr(file, '/');
            uint64_t lost = from->transactions > from->ideal ? from->transactions - from->ideal : 0;
            /* only memory accesses of the student's own file, and only where something could be saved */
            if (lost == 0 || from->kind == LINE_BRANCH ||
                strcmp(slash != NULL ? slash + 1 : file, "kernel.cu") != 0)
                continue;
            if (count == FEEDBACK_LINES && lost <= lines[count - 1].transactions - lines[count - 1].ideal)
                continue;
            unsigned at = count < FEEDBACK_LINES ? count++ : count - 1;
            for (; at > 0 && lines[at - 1].transactions - lines[at - 1].ideal < lost; at--)
                lines[at] = lines[at - 1];
            lines[at] = (struct feedback_line){from->line, line_kind_name(from->kind), from->requests,
                                               from->transactions, from->ideal};
        }
    return count;
}

unsigned feedback_goals(const struct policy *policy, const struct grade *grade, const struct report *report,
                        struct feedback_goal *goals, unsigned room) {
    double total = 0;
    unsigned count = 0;
    for (uint32_t i = 0; i < report->goal_count && count < room; i++) {
        const struct report_goal *from = &report->goals[i];
        const struct policy_goal *own = policy_goal(policy, report->lab, from->name);
        bool cuda = report->device.kind != NULL && strcmp(report->device.kind, "cuda") == 0;
        struct feedback_goal *to = &goals[count++];
        *to = (struct feedback_goal){.value = from->value, .zero = from->zero, .full = from->full};
        text_clean(to->name, sizeof to->name, from->name);
        score_goal(policy, report, from, &to->points, &to->max);
        if (own != NULL && (cuda ? own->has_cuda : own->has_sim)) {
            to->zero = cuda ? own->cuda.zero : own->sim.zero;
            to->full = cuda ? own->cuda.full : own->sim.full;
        }
        total += to->max;
    }
    for (unsigned i = 0; i < count && total > 0; i++) {
        goals[i].points *= grade->max / total;
        goals[i].max *= grade->max / total;
    }
    return count;
}
