/*
 * policy.h: how a class is graded, an INI file. [class] is for every lab, [lab3] for one. Keys that neither has are the
 * lab's own. [lab3 goal NAME] changes one goal's points and thresholds.
 * The keys: grader/README.md; their table: policy.c.
 */
#pragma once

#include "base/draw/draw.h"
#include "lab/problems/lab.h"

enum { POLICY_LABS = 32, POLICY_GOALS = 64, POLICY_TEXT = 256 };
enum { POLICY_SIM = 1, POLICY_CUDA = 2 };
#define POLICY_GPU "h200" /* the model that is simulated where the policy names none */

struct policy_rules {
    double points, pass; /* NAN: the lab's own */
    int64_t deadline;    /* seconds since 1970, 0: none */
    double grace_minutes, late_percent_per_day, late_percent_at_most;
    double late_days;         /* NAN: for ever */
    double free_late_days;    /* [class] alone has it */
    bool best;                /* of several submissions the best counts, not the last */
    bool single_cu;           /* [class] alone: a single .cu by another name is taken */
    double prediction_points; /* beside the lab's points: for a prediction.txt that comes true */
    double weight;            /* of the lab in a student's total */
    bool file_times;          /* a file's time in a plain folder is the submission's */
    unsigned devices;         /* POLICY_SIM | POLICY_CUDA */
    char gpu[32];             /* the model */
    char size[32];            /* "": the lab's own */
    char key[DRAW_KEY_TEXT];  /* "": not given */
    char key_name[DRAW_NAME]; /* of the key that is used: plan_rules */
    double build_seconds, run_seconds, memory_mib; /* run_seconds NAN: policy_run_seconds */
    char flags_zero[POLICY_TEXT];
    double alike_percent;
    double starter_percent, reference_percent; /* in the rehearsal: at most, at least */
    uint32_t given;                            /* a bit for each key of the table in policy.c */
    struct {
        unsigned section, points, pass, flags_zero, gpu; /* 0: not there */
    } lines;                                             /* where they stand */
};

struct policy_goal {
    char lab[16], name[48];
    unsigned line;
    double points; /* NAN: the lab's own */
    bool has_sim, has_cuda;
    struct lab_threshold sim, cuda;
};

struct policy {
    struct policy_rules all;
    bool has_all; /* [class] is there */
    struct {
        char lab[16];
        struct policy_rules rules;
    } labs[POLICY_LABS];
    unsigned lab_count, goal_count;
    struct policy_goal goals[POLICY_GOALS];
};

/* What holds without a policy file. */
void policy_init(struct policy *policy);
/* Any bytes are safe to pass. false and one line (file:line: what) on failure. */
bool policy_parse(struct policy *policy, const char *text, size_t length, const char *file, char *error,
                  size_t size);
bool policy_read(struct policy *policy, const char *path, char *error, size_t size);
/* Do its labs, goals and flags exist? False and the same line on failure. root: the kit's folder. */
bool policy_check(const struct policy *policy, const char *root, const char *file, char *error, size_t size);
/* Does it fit one lab: is the pass mark within the points? */
bool policy_check_lab(const struct policy *policy, const struct lab *lab, const char *file, char *error,
                      size_t size);
/* All that can be earned in a lab by its goals, before the points are scaled to the policy's full score. */
double policy_goal_points(const struct policy *policy, const struct lab *lab);

/* A lab of one kernel (lab_load), or of small tasks: that has no problem and no part, and one goal. */
bool policy_lab(const char *root, const char *id, struct lab *lab, char *error, size_t size);
#define POLICY_TASKS_GOAL "tasks done"

/* The rules of one lab. */
void policy_rules(const struct policy *policy, const char *lab, struct policy_rules *rules);
/* The policy's section on a goal; NULL: none. */
const struct policy_goal *policy_goal(const struct policy *policy, const char *lab, const char *name);
/* Limit of a kernel on a device (POLICY_SIM or POLICY_CUDA), in seconds of processor time. It is larger on a real GPU: there
 * a waiting host computes, too, and the judged sizes are larger. */
double policy_run_seconds(const struct policy_rules *rules, unsigned device);
/* Is there a flag of that name? */
bool policy_is_flag(const char *name, size_t length);
/* Does this flag cost all points? */
bool policy_flag_zero(const struct policy_rules *rules, const char *flag);

/* Days begun after the deadline; 0: in time, or not known. */
unsigned policy_late_days(const struct policy_rules *rules, int64_t submitted, double extension_hours);
/* Percent taken off a submission that is `days` late, of which free_days cost nothing. */
double policy_late_percent(const struct policy_rules *rules, unsigned days, unsigned free_days);
