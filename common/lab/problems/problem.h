/*
 * problem.h: the trusted side of a lab: its inputs, the right answer, how an answer is judged, what
 * counts as work. A problem is a table of functions; a new one is a file, a line in problems.c, and
 * the runner's adapter (lab/runner). Nothing here runs a student's code or knows of processes and
 * devices. Buffers are host memory.
 */
#ifndef PROBLEMS_PROBLEM_H
#define PROBLEMS_PROBLEM_H

#include "base/buffer_shape.h"
#include "base/draw/draw.h"
#include "lab/image/image.h"
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PROBLEM_BUFFERS = 4, PROBLEM_SIZES = 12, PROBLEM_LISTED = 10 };

/* Asserts that a problem's buffers and sizes fit into a case. */
#define PROBLEM_FITS(buffers, sizes)                                                                         \
    static_assert((int)(buffers) <= (int)PROBLEM_BUFFERS && (int)(sizes) <= (int)PROBLEM_SIZES,              \
                  "no room in a case")

/* What an input looks like. Each problem maps these to its own data. */
enum problem_pattern {
    PATTERN_SCENE,        /* the rendered scene */
    PATTERN_NOISE,        /* every element random */
    PATTERN_ZEROS,        /* all 0 */
    PATTERN_MAXIMUM,      /* all 255 (floats: all the same large value) */
    PATTERN_POINT,        /* one bright element in the middle */
    PATTERN_CORNERS,      /* bright elements in the corners */
    PATTERN_ROWS_COLUMNS, /* each value says its row and column: shows shifts and swaps */
    PATTERN_TIES,         /* colours whose gray is nearly half way between two levels */
    PATTERN_FILE          /* a picture that the user named */
};

/* One call's task. The problem's own header says what stands in size[] and the order of the
 * buffers, for the runner's adapter too. */
struct problem_case {
    char name[48];               /* "31 x 7, one bright pixel" */
    int64_t size[PROBLEM_SIZES]; /* all that the student's process is told */
    struct draw_key key;         /* key of all that is random in the input */
    unsigned number;             /* of a correctness case; simpler cases have lower numbers */
    enum problem_pattern pattern;
    uint8_t low, high;           /* images: the levels that noise keeps to */
    const struct image *picture; /* PATTERN_FILE: gray, of the case's size */
};

/* The buffers a case needs, in the order the student's function takes them: inputs, then
 * outputs. */
struct problem_layout {
    unsigned input_count, output_count;
    size_t bytes[PROBLEM_BUFFERS];
    bool in_place; /* outputs start as fill made them (inputs[input_count...], for solve too), not poisoned */
    bool scratch;  /* the last output is working memory: any content is right */
    struct buffer_shape shape[PROBLEM_BUFFERS]; /* the buffers as the student's function knows them */
    size_t
        expected_bytes; /* bytes that solve leaves for compare instead of the first output; 0: that output */
};

struct problem_work {
    double bytes;             /* the least that must move: every input read once, every output written once */
    double operations;        /* useful arithmetic, a multiply-add as two */
    double least_operations;  /* single-precision arithmetic that no algorithm saves; 0: not known */
    double oracle_operations; /* the part of `operations` that the oracle computes; 0: all */
    double elements;          /* what "per pixel" divides by */
};

struct problem_wrong {
    uint64_t index;
    char where[48], got[24], expected[24];
};

struct problem_verdict {
    bool passed;
    uint64_t wrong, total;
    unsigned largest; /* images: the most that a pixel is off by, in levels */
    unsigned listed;  /* wrong elements in first[] */
    struct problem_wrong first[PROBLEM_LISTED];
    char message[128]; /* one line: "118 of 217 pixels differ" */
    char hint[256];    /* what else is known of the errors; "": nothing. diagnosis.h finds the cause */
    uint32_t fits;     /* bits: the problem's causes that give exactly this wrong result */
};

/* A mistake, for problems without wrong oracles: "field-unsigned"; after "when"; what to do. */
struct problem_cause {
    const char *kind, *words, *advice;
};

/* Where the pictures of a case lie in inputs[0] and outputs[0]: byte of the first pixel, bytes
 * from row to row. The oracle's picture has no gaps. The output is gray; the input has
 * input_channels (image.h). */
struct problem_picture {
    uint32_t width, height, input_channels; /* 0 channels: one */
    size_t input_start, input_pitch, output_start, output_pitch;
};

struct wrong_oracles;

struct problem {
    /* The student's extern "C" function, "gaussian_blur". It names the problem, in lab.ini too,
     * and the adapter. */
    const char *function;
    /* Inputs and results lie in the host's memory. The whole call is judged, copies too, and
     * timed as the host sees it. */
    bool on_host;
    const char *cpu_function; /* the student's version for the host, judged and timed too; NULL: none */
    const char *element;      /* "pixel" */
    const char *criterion;    /* what right means: "bit for bit", "within the error bound" */
    const char *place;        /* what `where` of a wrong element says: "(x, y)"; "": the index is enough */
    /* The student's names of size[]; NULL: that size is no amount of work. */
    const char *size_names[PROBLEM_SIZES];
    /* Bytes that the host may honestly compute from a few values it reads back, and hand to a
     * second kernel. */
    uint32_t table_bytes;
    const char *outside; /* why a thread writes outside its buffers; NULL: a general reason is given */
    unsigned case_count;
    /* Case `index` of the correctness run, with what `key` draws for it. */
    void (*get_case)(unsigned index, const struct draw_key *key, struct problem_case *problem_case);
    /* A small case whose sizes, pattern and all else are drawn under `key`. */
    void (*draw_case)(const struct draw_key *key, struct problem_case *problem_case);
    /* The timed case of part 0, 1, ... of a lab (lab.h); its input is drawn under `key` itself. */
    unsigned part_count;
    void (*timed_case)(unsigned part, uint32_t width, uint32_t height, const struct draw_key *key,
                       struct problem_case *problem_case);
    void (*layout)(const struct problem_case *problem_case, struct problem_layout *layout);
    void (*fill)(const struct problem_case *problem_case, void *const inputs[]);
    /* The oracle: the right outputs for these inputs. False when out of memory. What it leaves
     * for compare may point to the inputs, which the caller keeps unchanged until the last
     * comparison. */
    bool (*solve)(const struct problem_case *problem_case, const void *const inputs[], void *const outputs[]);
    /* Judges outputs against the oracle's. poison: the byte that filled the outputs before the
     * call. */
    void (*compare)(const struct problem_case *problem_case, const void *const expected[],
                    const void *const got[], uint8_t poison, struct problem_verdict *verdict);
    void (*work)(const struct problem_case *problem_case, struct problem_work *work);
    /* The oracle with mistakes, from which diagnosis.h finds a wrong answer's cause. NULL: none. */
    const struct wrong_oracles *wrong;
    const struct problem_cause *causes; /* that compare tries; ends with kind NULL. NULL: none */
    /* Where the case's pictures lie. NULL: no pictures. */
    void (*picture)(const struct problem_case *problem_case, struct problem_picture *picture);
};

/* What an answer's element must be: |got - value| <= bound. PROBLEM_UNTOUCHED: as it was before the call. */
struct problem_expected {
    double value, bound;
};
#define PROBLEM_UNTOUCHED (-1.0)

/* Where the right value is NaN or infinite, so must the answer be. */
bool problem_near(double value, double bound, double got);
/* The same number, of the same bits or no number at all. */
bool problem_same(float a, float b);
bool problem_is_poison(const void *element, size_t size, uint8_t poison);

/* One wrong element more. Returns where to say what is wrong with it; NULL: enough are listed. */
struct problem_wrong *problem_list(struct problem_verdict *verdict, uint64_t index);

/* Of a problem's table: what each problem's file calls the same. */
#define PROBLEM_FUNCTIONS                                                                                    \
    .case_count = sizeof cases / sizeof *cases, .get_case = get_case, .draw_case = draw_case,                \
    .layout = layout, .fill = fill, .solve = solve, .work = work

/* The problem of that function, NULL if there is none. */
const struct problem *problem_find(const char *function);

/* The byte that fills outputs before a call, for a drawn number or a count of calls: never 0 or
 * 255; read as floats, small and negative, or large. */
uint8_t problem_poison(uint64_t number);

#endif
