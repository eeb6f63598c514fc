/*
 * policy.h: how a class is graded, an INI file. [class] holds for every lab, [lab3] for one; what neither
 * says is the lab's own. [lab3 goal NAME] changes one goal's points and thresholds.
 *
 *   [class]
 *   points = 100                  # a full score, whatever the lab's own points are
 *   pass = 60                     # of these points
 *   deadline = 2026-03-01 23:59 +01:00
 *   grace_minutes = 10
 *   late_percent_per_day = 10     # of what was earned, for each day begun
 *   late_percent_at_most = 50
 *   late_days = 7                 # later than this earns nothing
 *   devices = sim                 # sim, cuda, or both: then the mean counts
 *   gpu = h200
 *   size = 2560x1600
 *   key = 5b2f...                 # 64 hexadecimal digits, secret; without it one is drawn and kept in the gradebook
 *   build_seconds = 60
 *   run_seconds = 60
 *   memory_mib = 4096
 *   flags_zero = all              # flags that cost all points: all, none, or names
 */
#ifndef CLASS_POLICY_H
#define CLASS_POLICY_H

#include "draw/draw.h"
#include "problems/lab.h"

enum { POLICY_LABS = 32, POLICY_GOALS = 64, POLICY_TEXT = 256 };
enum { POLICY_SIM = 1, POLICY_CUDA = 2 };

struct policy_rules {
    double points, pass; /* NAN: the lab's own */
    int64_t deadline;    /* seconds since 1970, 0: none */
    double grace_minutes, late_percent_per_day, late_percent_at_most;
    double late_days;         /* NAN: for ever */
    unsigned devices;         /* POLICY_SIM | POLICY_CUDA */
    char gpu[32];             /* the model */
    char size[32];            /* "": the lab's own */
    char key[DRAW_KEY_TEXT];  /* "": not given */
    char key_name[DRAW_NAME]; /* of the key that is used: plan_rules */
    double build_seconds, run_seconds, memory_mib;
    char flags_zero[POLICY_TEXT];
    uint32_t given; /* a bit for each key of the table in policy.c */
};

struct policy_goal {
    char lab[16], name[48];
    double points; /* NAN: the lab's own */
    bool has_sim, has_cuda;
    struct lab_threshold sim, cuda;
};

struct policy {
    struct policy_rules all;
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

/* The rules of one lab. */
void policy_rules(const struct policy *policy, const char *lab, struct policy_rules *rules);
/* The policy's own word on a goal, NULL: none. */
const struct policy_goal *policy_goal(const struct policy *policy, const char *lab, const char *name);
/* Does this flag cost all points? */
bool policy_flag_zero(const struct policy_rules *rules, const char *flag);

/* Percent taken off what was handed in that late, and for how many days begun. 100: nothing is left. */
double policy_late_percent(const struct policy_rules *rules, int64_t submitted, double extension_hours,
                           unsigned *days);

#endif
