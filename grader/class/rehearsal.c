/* rehearsal.c: starter and reference as jobs of the queue, and what their points say about the
 * policy. */
#include "class/rehearsal.h"

#include "class/intake/kernel_file.h"
#include "class/score/score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const titles[PLAN_SIDES] = {"untouched starter", "reference"};

/* Elsewhere one submission has a gradebook of its own: a lab's own rules, which the kit's tests
 * hold, are not tried there. */
static bool is_rehearsed(const struct plan *plan, const struct lab *lab) {
    struct policy_rules rules;
    policy_rules(&plan->policy, lab->id, &rules);
    bool wanted = plan->options->student == NULL || rules.size[0] != '\0' ||
                  strcmp(rules.gpu, POLICY_GPU) != 0 || rules.devices != POLICY_SIM;
    for (unsigned i = 0; i < plan->policy.goal_count; i++)
        wanted = wanted || strcmp(plan->policy.goals[i].lab, lab->id) == 0;
    return wanted;
}

/* The kit's file, kept among the kernels as if somebody had handed it in. */
static bool put_kernel(struct plan *plan, const struct lab *lab, unsigned side, char sha256[KERNEL_SHA256]) {
    char store[PATH_SIZE];
    size_t length;
    if (!path_join(store, plan->book->folder, "kernels"))
        return plan_refuse(plan, "the path of OUT is too long");
    char *text = plan_kit_file(plan, lab, side, &length);
    if (text == NULL)
        return false;
    kernel_sha256((const uint8_t *)text, length, sha256);
    bool right =
        kernel_store_put(store, (const uint8_t *)text, length, sha256, plan->error, sizeof plan->error);
    free(text);
    return right;
}

static bool queue(struct rehearsal *rehearsal) {
    struct plan *plan = rehearsal->plan;
    for (unsigned i = 0; i < plan->lab_count; i++)
        for (unsigned side = 0; side < PLAN_SIDES && is_rehearsed(plan, &plan->labs[i]); side++)
            if (!put_kernel(plan, &plan->labs[i], side, rehearsal->sha256[i][side]) ||
                (!plan->options->rescore &&
                 !plan_add_jobs(plan, plan->labs[i].id, rehearsal->sha256[i][side])))
                return false;
    return true;
}

bool rehearsal_begin(struct rehearsal *rehearsal, struct plan *plan) {
    struct queue_counts counts = {0};
    *rehearsal = (struct rehearsal){.plan = plan};
    if (plan->options->rescore)
        return queue(rehearsal);
    if (!gradebook_begin(plan->book))
        return plan_book_failed(plan);
    bool right = queue_aside(plan->book) || plan_book_failed(plan);
    right = right && queue(rehearsal) && (queue_retry(plan->book) || plan_book_failed(plan)) &&
            ((queue_count(plan->book, &counts) && gradebook_commit(plan->book)) || plan_book_failed(plan));
    if (!right)
        gradebook_rollback(plan->book);
    rehearsal->missing = counts.wanted - counts.done;
    return right;
}

/* ---- what they earn */

struct trial {
    const struct plan *plan;
    const struct lab *lab;
    struct policy_rules rules; /* of one device */
    unsigned side;
    double points, max;
    bool known;                 /* there is a result */
    char outcome[16], why[512]; /* of a result; or why there is none */
    struct score_result result;
};

static bool try_one(struct rehearsal *rehearsal, unsigned lab, unsigned device, unsigned side,
                    struct trial *trial) {
    struct plan *plan = rehearsal->plan;
    struct grade *grade = calloc(1, sizeof *grade);
    struct score_result results[2];
    *trial = (struct trial){.plan = plan, .lab = &plan->labs[lab], .side = side};
    if (grade == NULL)
        return plan_refuse(plan, "out of memory");
    bool right = plan_rules(plan, trial->lab->id, &trial->rules);
    if (right) {
        trial->rules.devices = grade->devices = device;
        score_what(grade, trial->lab->id, rehearsal->sha256[lab][side], &trial->rules);
        plan->book->error[0] = '\0';
        trial->known = score_results_of(plan->book, grade, results) == 1;
        right = plan->book->error[0] == '\0' || plan_book_failed(plan);
    }
    if (right && trial->known) {
        const struct score_circumstances plainly = {.word = NULL};
        trial->result = results[0];
        score_grade(&plan->policy, &trial->rules, trial->lab, results, 1, &plainly, grade);
        trial->points = grade->earned;
        trial->max = grade->max;
        snprintf(trial->outcome, sizeof trial->outcome, "%s", grade->outcome);
        snprintf(trial->why, sizeof trial->why, "%.500s", grade->message);
    } else if (right && !score_trouble(plan->book, grade, trial->why, sizeof trial->why)) {
        trial->why[0] = '\0';
    }
    free(grade);
    return right;
}

static void end_trial(struct trial *trial) {
    if (trial->known)
        score_result_free(&trial->result);
}

/* How many times as fast as the starter the judged kernel is, in the part of the lab where it is
 * slowest; NAN: not known. */
static double speedup(const struct trial *trial) {
    const struct report *report = &trial->result.report;
    double least = NAN;
    for (uint32_t i = 0; trial->known && trial->result.has_report && i < report->run_count; i++)
        if (strcmp(report->runs[i].name, "yours") == 0)
            least = fmin(least, report->runs[i].speedup);
    return least;
}

/* The goal that is furthest from what it should be: of the starter the one that earns most, of
 * the reference the one that lacks most. NULL: none is. */
static const struct report_goal *worst_goal(const struct trial *trial) {
    const struct report_goal *worst = NULL;
    double most = 0.005;
    for (uint32_t i = 0; trial->result.has_report && i < trial->result.report.goal_count; i++) {
        const struct report_goal *goal = &trial->result.report.goals[i];
        double points, max;
        score_goal(&trial->plan->policy, &trial->result.report, goal, &points, &max);
        double off = trial->side == PLAN_STARTER ? points : max - points;
        if (off > most) {
            worst = goal;
            most = off;
        }
    }
    return worst;
}

/* Is it a threshold of the policy's, where the lab's own would do? */
static bool is_own_threshold(const struct trial *trial, const struct report_goal *goal) {
    const struct policy_goal *own = policy_goal(&trial->plan->policy, trial->lab->id, goal->name);
    bool has = own != NULL && (trial->rules.devices == POLICY_CUDA ? own->has_cuda : own->has_sim);
    return has && (trial->side == PLAN_STARTER ? goal->points < 0.005 : goal->points > goal->max - 0.005);
}

/* "at 640x400 on gtx980": what the policy has chosen; "" for the lab's own. */
static void say_where(const struct trial *trial, char *text, size_t size) {
    const struct policy_rules *rules = &trial->rules;
    snprintf(text, size, "%s%s%s%s%s", rules->size[0] != '\0' ? "at " : "", rules->size,
             rules->size[0] != '\0' ? " " : "", "on ",
             rules->devices == POLICY_CUDA ? "this machine's GPU" : rules->gpu);
}

/* What to change in the policy. A reference can be slower at larger sizes, too. */
static void say_advice(const struct trial *trial, char *text, size_t size) {
    const struct policy_rules *rules = &trial->rules;
    const struct lab_part *part = &trial->lab->parts[0];
    bool real = rules->devices == POLICY_CUDA && part->cuda_width > 0;
    text[0] = '\0';
    if (rules->size[0] != '\0' && trial->lab->part_count == 1)
        text_append(text, size, "take another size (the lab's own: size = %ux%u)",
                    real ? part->cuda_width : part->width, real ? part->cuda_height : part->height);
    else if (rules->size[0] != '\0')
        text_append(text, size, "take another size (the lab has its own without size)");
    if (rules->devices == POLICY_CUDA)
        text_append(text, size, "%sdevices = sim", text[0] != '\0' ? "or " : "take ");
    else if (strcmp(rules->gpu, POLICY_GPU) != 0)
        text_append(text, size, "%sanother gpu", text[0] != '\0' ? "or " : "take ");
    if (text[0] == '\0')
        snprintf(text, size, "the policy changes neither size, gpu nor devices: the kit itself is at fault");
}

/* One line on what is wrong with this trial; "": nothing. */
static void say_fault(const struct trial *trial, char *text, size_t size) {
    char where[96], advice[160], points[32], max[32];
    const struct policy_rules *rules = &trial->rules;
    const char *lab = trial->lab->id, *title = titles[trial->side];
    bool starter = trial->side == PLAN_STARTER;
    double least = trial->max * rules->reference_percent / 100 - 0.005,
           most = trial->max * rules->starter_percent / 100 + 0.005;
    text[0] = '\0';
    say_where(trial, where, sizeof where);
    say_advice(trial, advice, sizeof advice);
    if (!trial->known) {
        snprintf(text, size, "%s %s's %s could not be judged: %s The same command tries again", where, lab,
                 title, trial->why);
        return;
    }
    if (starter ? trial->points <= most : trial->points >= least)
        return;
    score_points_text(points, trial->points);
    score_points_text(max, trial->max);
    const struct report_goal *goal = worst_goal(trial);
    if (strcmp(trial->outcome, "judged") != 0)
        snprintf(text, size, "%s %s's %s is wrong (%s): %s", where, lab, title, trial->why, advice);
    else if (goal != NULL && is_own_threshold(trial, goal))
        snprintf(text, size,
                 "%s %s's %s earns %s of %s points: its value of '%s' is %.4g: change the thresholds in "
                 "[%s goal %s]",
                 where, lab, title, points, max, goal->name, goal->value, lab, goal->name);
    else if (!starter && speedup(trial) < 1)
        snprintf(text, size, "%s %s's reference is slower than its starter (%.2fx): %s", where, lab,
                 speedup(trial), advice);
    else
        snprintf(text, size, "%s %s's %s earns %s of %s points%s%s%s: %s", where, lab, title, points, max,
                 goal != NULL ? " ('" : "", goal != NULL ? goal->name : "", goal != NULL ? "')" : "", advice);
}

/* Starter and reference of a lab on one device. */
static bool try_lab(struct rehearsal *rehearsal, unsigned lab, unsigned device, FILE *to, bool all,
                    unsigned *faults) {
    struct trial trials[PLAN_SIDES] = {{.known = false}, {.known = false}};
    bool right = true, stored = true;
    for (unsigned side = 0; right && side < PLAN_SIDES; side++) {
        right = try_one(rehearsal, lab, device, side, &trials[side]);
        stored = stored && trials[side].known;
    }
    const char *id = rehearsal->plan->labs[lab].id;
    bool never = !stored && rehearsal->plan->options->rescore;
    if (right && never)
        fprintf(to, "Rehearsal  %s: no results of starter and reference are stored: make grade judges them\n",
                id);
    for (unsigned side = 0; right && !never && side < PLAN_SIDES; side++) {
        char fault[TEXT_ERROR];
        say_fault(&trials[side], fault, sizeof fault);
        if (fault[0] != '\0')
            fprintf(to, "grade: rehearsal: %s\n", fault);
        *faults += fault[0] != '\0';
    }
    if (right && stored && all) {
        char where[96], points[PLAN_SIDES][32], max[32];
        say_where(&trials[0], where, sizeof where);
        fprintf(to, "Rehearsal  %s %s: the starter earns %s, the reference %s of %s points\n", id, where,
                score_points_text(points[0], trials[0].points),
                score_points_text(points[1], trials[1].points), score_points_text(max, trials[1].max));
    }
    for (unsigned side = 0; side < PLAN_SIDES; side++)
        end_trial(&trials[side]);
    return right;
}

bool rehearsal_end(struct rehearsal *rehearsal, FILE *to, bool all) {
    struct plan *plan = rehearsal->plan;
    unsigned faults = 0;
    bool right = true;
    for (unsigned i = 0; right && i < plan->lab_count; i++) {
        struct policy_rules rules;
        policy_rules(&plan->policy, plan->labs[i].id, &rules);
        for (unsigned device = POLICY_SIM; right && device <= POLICY_CUDA; device <<= 1)
            if ((rules.devices & device) != 0 && rehearsal->sha256[i][0][0] != '\0')
                right = try_lab(rehearsal, i, device, to, all, &faults);
    }
    if (!plan->options->rescore && !queue_aside_end(plan->book))
        right = plan_book_failed(plan);
    if (!right || faults == 0)
        return right;
    return plan_refuse(plan,
                       "nothing was graded, and no grade was changed: under this policy points would not "
                       "mean what they should");
}
