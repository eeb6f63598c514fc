/*
 * problem.h: the trusted side of a lab: its inputs, what the right answer is, how an answer is judged, what
 * counts as work.
 *
 * A problem is a table of functions: a new one is a new file, a line in problems.c, and the runner's adapter that
 * calls the student's function (lab/runner). Nothing here runs a student's code or knows of processes and devices;
 * buffers are plain host memory.
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

/* That a problem's buffers and sizes have room in a case. */
#define PROBLEM_FITS(buffers, sizes)                                                                         \
    static_assert((int)(buffers) <= (int)PROBLEM_BUFFERS && (int)(sizes) <= (int)PROBLEM_SIZES,              \
                  "no room in a case")

/* What an input looks like. Every problem maps these to its own data. */
enum problem_pattern {
    PATTERN_SCENE,        /* the rendered scene */
    PATTERN_NOISE,        /* every element random */
    PATTERN_ZEROS,        /* all 0 */
    PATTERN_MAXIMUM,      /* all 255 (floats: all the same large value) */
    PATTERN_POINT,        /* one bright element in the middle */
    PATTERN_CORNERS,      /* bright elements in the corners */
    PATTERN_ROWS_COLUMNS, /* a value that tells its row and its column: shows shifts and swaps */
    PATTERN_FILE          /* a picture of the user's */
};

/* One thing to compute. What stands in size[], and in which order the buffers come, is in the problem's own header,
 * for the runner's adapter too. */
struct problem_case {
    char name[48];               /* "31 x 7, one bright pixel" */
    int64_t size[PROBLEM_SIZES]; /* all that the student's process is told */
    struct draw_key key;         /* what is random in the input is drawn under it */
    unsigned number;             /* of a correctness case: simpler ones have lower numbers */
    enum problem_pattern pattern;
    uint8_t low, high;           /* images: the levels that noise keeps to */
    const struct image *picture; /* PATTERN_FILE: gray, of the case's size */
};

/* The buffers a case needs, in the order the student's function takes them: inputs, then outputs. */
struct problem_layout {
    unsigned input_count, output_count;
    size_t bytes[PROBLEM_BUFFERS];
    bool
        in_place; /* the outputs start as fill made them (inputs[input_count...], for solve too), not poisoned */
    bool scratch; /* the last output is working memory: whatever is left there is right */
    struct buffer_shape shape[PROBLEM_BUFFERS]; /* the buffers as the student's function knows them */
    size_t expected_bytes; /* what solve leaves for compare in place of the first output; 0: that output */
};

struct problem_work {
    double bytes;             /* the least that must move: every input read once, every output written once */
    double operations;        /* useful arithmetic, a multiply-add as two */
    double least_operations;  /* single-precision arithmetic that no algorithm saves; 0: not known */
    double oracle_operations; /* of `operations`, so many the oracle computes; 0: all */
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
    unsigned listed;  /* of these, how many stand in first[] */
    struct problem_wrong first[PROBLEM_LISTED];
    char message[128]; /* one line: "118 of 217 pixels differ" */
    char hint[256];    /* what else is known of it; "" nothing. Its cause: diagnosis.h */
};

/* Where the pictures of a case lie in inputs[0] and outputs[0]: first pixel, and bytes from one row to
 * the next. The oracle's has no gaps. The output is gray; the input too, or has so many channels (image.h). */
struct problem_picture {
    uint32_t width, height, input_channels; /* 0: one */
    size_t input_start, input_pitch, output_start, output_pitch;
};

struct wrong_oracles;

struct problem {
    /* The student's extern "C" function, "gaussian_blur": a problem is called by it, in lab.ini too, and so is the
     * runner's adapter. */
    const char *function;
    /* The student's functions get the inputs in the host's memory and leave the results there: what is judged is the whole
     * of it, copies too, and its time is that of the call as the host sees it. */
    bool on_host;
    const char *cpu_function; /* the same on the host, judged and timed too; NULL: the lab asks for none */
    const char *element;      /* "pixel" */
    const char *criterion;    /* what right means: "bit for bit", "within the error bound" */
    const char *place;        /* what `where` of a wrong element says: "(x, y)"; "": its index says all */
    /* What the student's function calls size[], NULL where a size says nothing of how much there is to do. */
    const char *size_names[PROBLEM_SIZES];
    /* What the host may honestly make of a few values that it reads back, and hand to a second kernel; 0: nothing. */
    uint32_t table_bytes;
    const char *outside; /* why a thread writes outside its buffers, for a person; NULL: a general reason */
    unsigned case_count;
    /* Case `index` of the correctness run, with what `key` draws for it. */
    void (*get_case)(unsigned index, const struct draw_key *key, struct problem_case *problem_case);
    /* Any small case at all: its sizes, its pattern and whatever else it has are drawn under `key`. */
    void (*draw_case)(const struct draw_key *key, struct problem_case *problem_case);
    /* The case that is timed, of part 0, 1, ... of a lab (lab.h): its input is drawn under `key` itself. */
    unsigned part_count;
    void (*timed_case)(unsigned part, uint32_t width, uint32_t height, const struct draw_key *key,
                       struct problem_case *problem_case);
    void (*layout)(const struct problem_case *problem_case, struct problem_layout *layout);
    void (*fill)(const struct problem_case *problem_case, void *const inputs[]);
    /* The oracle: the right outputs for these inputs. False when out of memory. What it leaves for compare may say where the
     * inputs lie: they stay, as they are, until nothing is compared any more. */
    bool (*solve)(const struct problem_case *problem_case, const void *const inputs[], void *const outputs[]);
    /* Judge outputs against the oracle's. poison: the byte that filled the outputs before the call. */
    void (*compare)(const struct problem_case *problem_case, const void *const expected[],
                    const void *const got[], uint8_t poison, struct problem_verdict *verdict);
    void (*work)(const struct problem_case *problem_case, struct problem_work *work);
    /* The same with mistakes in it, from which diagnosis.h tells a wrong answer's cause. NULL: it tells none. */
    const struct wrong_oracles *wrong;
    /* How to draw the case. NULL: no pictures. */
    void (*picture)(const struct problem_case *problem_case, struct problem_picture *picture);
};

/* The problem of that function, NULL if there is none. */
const struct problem *problem_find(const char *function);

/* The byte that outputs are filled with before a call, for a number that was drawn for it, or that counts calls: never
 * 0 or 255, and as floats small and negative, or large. */
uint8_t problem_poison(uint64_t number);

#endif
