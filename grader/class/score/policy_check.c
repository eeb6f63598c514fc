/* policy_check.c: a policy beside the labs that there are. A name that means nothing here changes nothing, and nobody sees it:
 * so it is an error. */
#include "class/score/policy.h"

#include "base/ini.h"
#include "gpu/time/gpus.h"
#include "lab/tasks/tasks.h"
#include "report/document/flags.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double policy_goal_points(const struct policy *policy, const struct lab *lab) {
    double max = 0;
    for (unsigned i = 0; i < lab->goal_count; i++) {
        const struct policy_goal *own = policy_goal(policy, lab->id, lab->goals[i].name);
        max += own != NULL && isfinite(own->points) ? own->points : lab->goals[i].points;
    }
    double steps = lab_step_points(lab, lab->step_count);
    const struct policy_goal *own = policy_goal(policy, lab->id, LAB_STEPS_GOAL);
    if (steps > 0)
        max += own != NULL && isfinite(own->points) ? own->points : steps;
    return max;
}

bool policy_is_flag(const char *name, size_t length) {
    for (enum flag flag = FLAG_NONE + 1; flag < FLAG_COUNT; flag++)
        if (strlen(flag_name(flag)) == length && strncmp(name, flag_name(flag), length) == 0)
            return true;
    return false;
}

static bool refuse_flag(struct ini *ini, const char *name, size_t length) {
    char all[1024] = "";
    for (enum flag flag = FLAG_NONE + 1; flag < FLAG_COUNT; flag++)
        snprintf(all + strlen(all), sizeof all - strlen(all), " %s", flag_name(flag));
    return ini_refuse(ini, "no flag is called '%.*s'; all, none, or some of:%.300s", (int)length, name, all);
}

static bool check_flags(struct ini *ini, const struct policy_rules *rules) {
    bool alone = strcmp(rules->flags_zero, "all") == 0 || strcmp(rules->flags_zero, "none") == 0;
    ini->line = rules->lines.flags_zero;
    if (ini->line == 0 || alone)
        return true;
    for (const char *at = rules->flags_zero; *at != '\0';) {
        size_t span = strcspn(at, " ,");
        if (span > 0 && !policy_is_flag(at, span))
            return refuse_flag(ini, at, span);
        at += span;
        at += strspn(at, " ,");
    }
    return true;
}

static bool check_gpu(struct ini *ini, const struct policy_rules *rules) {
    char why[512];
    struct gpu_model *model = malloc(sizeof *model);
    ini->line = rules->lines.gpu;
    if (model == NULL)
        return ini_refuse(ini, "out of memory");
    bool right = ini->line == 0 || gpu_model_load(NULL, rules->gpu, model, why, sizeof why) ||
                 ini_refuse(ini, "%s", why);
    free(model);
    return right;
}

static bool load_tasks(const char *root, const char *id, struct lab *lab, char *error, size_t size) {
    struct tasks *tasks = malloc(sizeof *tasks);
    bool right = tasks != NULL && tasks_load(root, id, tasks, error, size);
    if (right) {
        *lab = (struct lab){.pass = 60, .goal_count = 1};
        snprintf(lab->id, sizeof lab->id, "%s", tasks->id);
        snprintf(lab->topic, sizeof lab->topic, "%s", tasks->topic);
        snprintf(lab->title, sizeof lab->title, "%s", tasks->title);
        lab->goals[0] = (struct lab_goal){.name = POLICY_TASKS_GOAL, .points = 100};
        tasks_free(tasks);
    }
    free(tasks);
    return right;
}

bool policy_lab(const char *root, const char *id, struct lab *lab, char *error, size_t size) {
    return tasks_is_lab(root, id) ? load_tasks(root, id, lab, error, size)
                                  : lab_load(root, id, lab, error, size);
}

static bool load(struct ini *ini, const char *root, const char *id, struct lab *lab) {
    char why[256];
    if (policy_lab(root, id, lab, why, sizeof why))
        return true;
    ini_refuse(ini, "there is no %s: %s", id, why);
    return false;
}

static bool check_goal(struct ini *ini, const char *root, const struct policy_goal *goal) {
    struct lab lab;
    char all[300] = "";
    ini->line = goal->line;
    if (!load(ini, root, goal->lab, &lab))
        return false;
    bool steps = lab_step_points(&lab, lab.step_count) > 0;
    for (unsigned i = 0; i < lab.goal_count; i++) {
        if (strcmp(lab.goals[i].name, goal->name) == 0)
            return true;
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i > 0 ? ", " : "", lab.goals[i].name);
    }
    if (steps && strcmp(goal->name, LAB_STEPS_GOAL) == 0)
        return true;
    return ini_refuse(ini, "%s has no goal '%s'; its goals are: %s%s%s", goal->lab, goal->name, all,
                      steps ? ", " : "", steps ? LAB_STEPS_GOAL : "");
}

bool policy_check_lab(const struct policy *policy, const struct lab *lab, const char *file, char *error,
                      size_t size) {
    struct ini ini = {.file = file, .error = error, .error_size = size};
    struct policy_rules rules;
    policy_rules(policy, lab->id, &rules);
    double points = isfinite(rules.points) ? rules.points : policy_goal_points(policy, lab);
    if (!isfinite(rules.pass) || rules.pass <= points)
        return true;
    ini.line = policy->all.lines.pass;
    for (unsigned i = 0; i < policy->lab_count; i++)
        if (strcmp(policy->labs[i].lab, lab->id) == 0 && policy->labs[i].rules.lines.pass != 0)
            ini.line = policy->labs[i].rules.lines.pass;
    return ini_refuse(&ini, "nobody can pass %s: %g points are asked for, of %g", lab->id, rules.pass,
                      points);
}

bool policy_check(const struct policy *policy, const char *root, const char *file, char *error, size_t size) {
    struct ini ini = {.file = file, .error = error, .error_size = size};
    struct lab lab;
    if (!check_flags(&ini, &policy->all) || !check_gpu(&ini, &policy->all))
        return false;
    for (unsigned i = 0; i < policy->lab_count; i++) {
        ini.line = policy->labs[i].rules.lines.section;
        if (!load(&ini, root, policy->labs[i].lab, &lab) || !check_flags(&ini, &policy->labs[i].rules) ||
            !check_gpu(&ini, &policy->labs[i].rules))
            return false;
    }
    for (unsigned i = 0; i < policy->goal_count; i++)
        if (!check_goal(&ini, root, &policy->goals[i]))
            return false;
    for (unsigned i = 0; i < policy->lab_count; i++)
        if (!load(&ini, root, policy->labs[i].lab, &lab) ||
            !policy_check_lab(policy, &lab, file, error, size))
            return false;
    ini.line = policy->all.lines.pass;
    return !(policy->all.pass > policy->all.points) ||
           ini_refuse(&ini, "nobody can pass: %g points are asked for, of %g", policy->all.pass,
                      policy->all.points);
}
