/*
 * findings_rules.h: what the rules of findings have in common. Each rule looks at one thing in one
 * kernel's report and adds a finding only where it matters to this kernel's time. Private to this
 * room.
 */
#ifndef REPORT_FINDINGS_RULES_H
#define REPORT_FINDINGS_RULES_H

#include "report/findings/findings.h"

struct view {
    const struct kernel_report *kernel;
    const struct gpu_model *model; /* may be NULL */
    struct findings *findings;
    struct finding *spare; /* what is beyond FINDINGS_MAX goes here and no further */
};

/* A unit's share of the time, a counter, a fact: 0, or false, where it is not known. */
double view_share(const struct view *view, enum gpu_unit unit);
bool view_knows(const struct view *view, enum counter counter);
double view_counter(const struct view *view, enum counter index);
double finding_ratio(double part, double whole); /* 0 where there is no whole */
bool finding_fact_known(const struct kernel_line *line, enum line_fact fact);
double finding_fact(const struct kernel_line *line, enum line_fact index);

/* Threads of a block. */
uint32_t finding_block_threads(const struct kernel_report *kernel);

/* The share of time that goes when one unit's work shrinks to `left` of what it is: the groups
 * of the time model combined anew. NAN where the unit's share is not known. */
double view_gain_if(const struct view *view, enum gpu_unit unit, double left);
/* The same of several units: a bit each. */
double view_gain_if_all(const struct view *view, uint32_t units, double left);
/* The same, each unit its own. */
double view_gain_if_left(const struct view *view, const double left[GPU_LAUNCH]);
/* The share of time that goes with so many sectors of global loads and stores: L1 looks up
 * fewer, and L2 serves at most those that L1 still looks up. */
double view_gain_of_sectors(const struct view *view, double loads, double stores);

/* A finding; file and line of `line` where that is not NULL. */
struct finding *finding_add(const struct view *view, enum finding_code code, double gain,
                            const struct kernel_line *line, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* Goes on with the sentence: what is only said where it is known. */
void finding_say_more(struct finding *finding, const char *format, ...) __attribute__((format(printf, 2, 3)));
void finding_advise(struct finding *finding, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Where another block shape was tried for this finding, say what came of it: with a measured
 * gain, or no advice where it was no faster or the result not right. False: nothing was tried. */
bool finding_tell_tried(const struct view *view, struct finding *finding);

/* "of src", "of tile"; "" where the array is not known. */
enum { ARRAY_WORDS = 80 };
const char *finding_of_array(const struct kernel_line *line, char words[ARRAY_WORDS]);
/* "1 byte", "2560 bytes". */
enum { BYTES_WORDS = 40 };
const char *finding_bytes_words(double bytes, char words[BYTES_WORDS]);
/* "src"; `otherwise` where it is not known. */
const char *finding_array_name(const struct kernel_line *line, const char *otherwise);

/* The line of a kind with the most requests (branches: splits); NULL: none. */
const struct kernel_line *view_busiest_line(const struct view *view, enum line_kind kind);
/* Requests of all lines of a kind. */
double view_requests(const struct view *view, enum line_kind kind);

/* findings_global.c */
void rule_coalescing(const struct view *view);
void rule_misaligned(const struct view *view);
void rule_narrow(const struct view *view);
void rule_constant(const struct view *view);
void rule_atomics(const struct view *view);
/* findings_reuse.c */
void rule_reuse(const struct view *view);
/* findings_shared.c */
void rule_bank_conflicts(const struct view *view);
void rule_shared_reuse(const struct view *view);
void rule_private_shared(const struct view *view);
void rule_barriers(const struct view *view);
/* findings_compute.c */
void rule_divergence(const struct view *view);
void rule_spills(const struct view *view);
void rule_local_memory(const struct view *view);
void rule_integer_multiply(const struct view *view);
void rule_division(const struct view *view);
void rule_double(const struct view *view);
void rule_special(const struct view *view);
void rule_overhead(const struct view *view);

#endif
