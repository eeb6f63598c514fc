/* job_result.h: what a job found out, on its way into result.json. */
#pragma once

#include "base/path.h"
#include "job/kit_names.h"
#include "lab/settings.h"
#include "report/document/report.h"

/* ---- kit.c: the version of the kit that a result was made with */

enum { KIT_TEXT = 17, KIT_SHA256_TEXT = 65 };

/* A hash, as 16 hexadecimal digits, of everything a simulated result depends on besides the submission, the
 * size and the seed: simulator, runtime library, judge, starter and reference, the data of the lab and of the
 * GPU, the compiler's release. The settings are resolved. False and one line when one of them cannot be read
 * (they are not built, most likely). */
bool kit_version(const struct settings *settings, const char *toolkit_release, char version[KIT_TEXT],
                 char *error, size_t size);

/* SHA-256 of a file, as text. False when it cannot be read. */
bool kit_file_sha256(const char *path, char text[KIT_SHA256_TEXT]);

/* ---- job_result.c: what a job found out */

enum {
    JOB_RESULT_FLAGS = 16,
    JOB_RESULT_DETAIL = 4096,
    JOB_RESULT_BYTES = 16 << 20,
    JOB_RESULT_PRINTS = 1 << 14
};

enum job_outcome { JOB_TROUBLE, JOB_BUILD_FAILED, JOB_FAILED, JOB_JUDGED };

struct job_result {
    const struct settings *settings;
    enum job_outcome outcome;
    const struct kit_names
        *names; /* what the result says in the place of real names; not of trouble, which is the
                                      staff's; NULL: nothing */
    char kernel_sha256[KIT_SHA256_TEXT], kit[KIT_TEXT];
    /* For the student, and for the staff alone: what happened with the grader's own inputs. */
    char message[512], detail[JOB_RESULT_DETAIL];
    char staff_message[512], staff_detail[JOB_RESULT_DETAIL];
    struct {
        char name[32], message[160];
    } flags[JOB_RESULT_FLAGS];
    unsigned flag_count;
    bool have_report;
    struct report report;
    bool have_shown;
    struct report shown; /* the student's kernels with inputs that everybody has (shown.h) */
    char *
        prints; /* fingerprints of the compiled kernels, 16 hexadecimal digits each; NULL: nothing was compiled */
    double build_seconds, run_seconds;
};

/* The outcome is JOB_TROUBLE until job_result_set changes it. The settings must outlive the result. */
void job_result_init(struct job_result *result, const struct settings *settings);
void job_result_free(struct job_result *result);
/* The outcome and its message, one line: text after a line end is left out. */
__attribute__((format(printf, 3, 4))) void job_result_set(struct job_result *result, enum job_outcome outcome,
                                                          const char *format, ...);
/* The lines that say more, cut at a line's end. */
void job_result_detail(struct job_result *result, const char *text);
/* Move message and detail to the staff's fields, and clear the student's. */
void job_result_hide(struct job_result *result);
/* A failure because of what the submission did to the judge, with its flag. */
void job_result_too_much(struct job_result *result);
/* Add a flag, once for each name. */
void job_result_flag(struct job_result *result, const char *name, const char *message);
/* Keep the fingerprints of a PTX file, of JOB_RESULT_PRINTS the smallest. False after trouble was set. */
bool job_result_prints(struct job_result *result, const char *path);
/* Write folder/name, whole or not at all. A result of more than JOB_RESULT_BYTES is written without its report, as the
 * submission's failure. */
bool job_result_write(const struct job_result *result, const char *folder, const char *name, char *error,
                      size_t size);
