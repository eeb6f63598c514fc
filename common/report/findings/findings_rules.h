/* findings_rules.h: what the rules share. A rule checks one thing in one kernel's report, and adds
 * a finding only where that matters to the kernel's time. Private to this room. */
#ifndef REPORT_FINDINGS_RULES_H
#define REPORT_FINDINGS_RULES_H

#include "report/findings/findings.h"

struct view {
    const struct kernel_report *kernel;
    const struct gpu_model *model; /* may be NULL */
    struct findings *findings;
    struct finding *spare; /* for findings beyond FINDINGS_MAX */
};

/* A unit's share of the time, a counter, a fact; 0 or false if unknown. */
bool view_share_known(const struct view *view, enum gpu_unit unit);
double view_share(const struct view *view, enum gpu_unit unit);
bool view_knows(const struct view *view, enum counter counter);
double view_counter(const struct view *view, enum counter index);
double finding_ratio(double part, double whole); /* 0 if `whole` is 0 */
bool finding_fact_known(const struct kernel_line *line, enum line_fact fact);
double finding_fact(const struct kernel_line *line, enum line_fact index);

/* Whether an SM may hold more blocks: not if registers limit them, and fewer would spill. */
bool view_more_warps_fit(const struct view *view);
/* Warps of all launches; NAN: launches of other shapes are among them. */
double finding_warps(const struct kernel_report *kernel);
uint32_t finding_block_threads(const struct kernel_report *kernel);

/* Share of the time saved if one unit's work shrinks to `left` of its present amount. The time
 * model's groups are combined again. NAN: the unit's share is unknown. */
double view_gain_if(const struct view *view, enum gpu_unit unit, double left);
/* Likewise for several units, a bit each. */
double view_gain_if_all(const struct view *view, uint32_t units, double left);
/* Likewise, with a factor for each unit. */
double view_gain_if_left(const struct view *view, const double left[GPU_LAUNCH]);
/* Share of the time saved without so many sectors of global loads and stores: L1 looks up fewer,
 * and L2 serves at most the rest. */
double view_gain_of_sectors(const struct view *view, double loads, double stores);

/* Adds a finding, with file and line of `line` if that is not NULL. */
struct finding *finding_add(const struct view *view, enum finding_code code, double gain,
                            const struct kernel_line *line, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* Continues the finding's sentence. */
void finding_say_more(struct finding *finding, const char *format, ...) __attribute__((format(printf, 2, 3)));
void finding_advise(struct finding *finding, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds the outcome if another block shape was tried for this finding: the measured gain, or no
 * advice if slower or wrong. False: nothing was tried. */
bool finding_tell_tried(const struct view *view, struct finding *finding);

/* "of src", "of tile"; "": the array is unknown. */
enum { ARRAY_WORDS = 80 };
const char *finding_of_array(const struct kernel_line *line, char words[ARRAY_WORDS]);
/* "1 byte", "2560 bytes". */
enum { BYTES_WORDS = 40 };
const char *finding_bytes_words(double bytes, char words[BYTES_WORDS]);
/* "src"; `otherwise` if it is unknown. */
const char *finding_array_name(const struct kernel_line *line, const char *otherwise);

/* The line of a kind with most requests (branches: divergent ones); NULL: none. */
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
void rule_division(const struct view *view);
void rule_double(const struct view *view);
void rule_special(const struct view *view);
void rule_overhead(const struct view *view);
void rule_wide_integers(const struct view *view);
/* findings_limiter.c */
void rule_limiter(const struct view *view);
void rule_instruction_cache(const struct view *view);

#endif
