/*
 * predict.h: what a learner predicts of a run, and what came. What can be predicted is data of the
 * lab, labs/labN-TOPIC/predict.ini: a section [predict KEY] each, with `question`, `read` (limiter,
 * speedup, occupancy, share, busy, a counter, or COUNTER / COUNTER), for numbers `tolerance` in per
 * cent and a `unit`, and in a lab of several parts `part`. A prediction is kept before the run,
 * beside the kernel (.prediction), until a run has measured something.
 */
#pragma once

#include "lab/settings.h"
#include "report/document/report.h"

enum predict_read {
    PREDICT_NOTHING,   /* the data file has not said it yet */
    PREDICT_LIMITER,   /* a word: what limits the longest kernel */
    PREDICT_SPEEDUP,   /* of the run */
    PREDICT_OCCUPANCY, /* per cent of the warps that an SM can hold: what the longest kernel allows */
    PREDICT_SHARE,     /* per cent of the time of all kernels that the longest takes */
    PREDICT_BUSY,      /* per cent of the run's time that all kernels take, added up */
    PREDICT_COUNTERS   /* of all kernels */
};

struct predict_key {
    char name[24], question[160], unit[24];
    char part[8]; /* "": the lab has one */
    enum predict_read read;
    enum counter over, under; /* COUNTER_COUNT: none */
    double tolerance;         /* a share of what is measured */
};

struct predict_keys {
    unsigned count;
    struct predict_key keys[REPORT_PREDICTIONS];
};

/* Is it predicted by a word? Else by a number. */
bool predict_is_word(const struct predict_key *key);

/* What the lab asks; where it has no predict.ini, count is 0. False and one line: the file is
 * damaged. */
bool predict_load(const struct settings *settings, struct predict_keys *keys, char *error, size_t size);
/* The same from the text of a data file; `name` stands in messages. Any bytes are safe to pass. */
bool predict_parse(const char *text, size_t length, const char *name, struct predict_keys *keys, char *error,
                   size_t size);

/* "limiter=l1 sectors = 4.8" into the report, with nothing measured yet. Capitals do not matter. False and
 * one line on the first wrong word: an unknown key, no number or no limit; it lists those that there are, and the
 * other words are taken. The caller names where the text stands. */
bool predict_take(const struct predict_keys *keys, const char *text, struct report *report, char *error,
                  size_t size);
/* What the run measured beside each, and whether it was right. */
void predict_judge(const struct predict_keys *keys, struct report *report);

/* Keep settings->predict where there is one, and take what is kept into the report. False and
 * one line. */
bool predict_begin(const struct settings *settings, struct predict_keys *keys, struct report *report,
                   char *error, size_t size);
/* The run is over: judge and, where it was measured, forget what was kept. */
void predict_end(const struct settings *settings, const struct predict_keys *keys, struct report *report);
/* Keep the text for the next run. False and one line. */
bool predict_keep(const struct settings *settings, const char *text, char *error, size_t size);
