/* settings.h: the options of the command line, checked; the folders of the kit; the device. */
#pragma once

#include "base/draw/draw.h"
#include "base/path.h"
#include "gpu/time/gpus.h"
#include "lab/problems/lab.h"
#include "report/document/report.h"
#include <stdbool.h>

enum { SETTINGS_ERROR = PATH_SIZE + 1024 }; /* a message that names a path */

/* The defaults of GPU, SEED and ROUNDS; the sizes of two texts. */
#define SETTINGS_GPU "h200"
enum { SETTINGS_SEED = 1, SETTINGS_ROUNDS = 31, SETTINGS_KEY_NAME = 24, SETTINGS_PREDICT = 512 };

enum { DEVICE_AUTO = DEVICE_UNKNOWN }; /* a real GPU where there is one, else a simulated one */

struct settings {
    char root[PATH_SIZE];    /* the project's folder */
    char build[PATH_SIZE];   /* the build folder this program lies in: build, or build/sanitize */
    char folder[PATH_SIZE];  /* build/labN, where reports and pictures go */
    char simgpu[PATH_SIZE];  /* the simulated GPU's program */
    char library[PATH_SIZE]; /* the folder of the libcudart that speaks to simgpu */
    char keep[PATH_SIZE];    /* the folder whose labs/ keeps the learner's records (standing.h): the root */
    struct lab lab;
    enum device_kind device; /* never DEVICE_AUTO after settings_resolve */
    char gpu[32];            /* simulated model, or the model that fits the real GPU */
    struct gpu_model model;
    char gpu_name[128]; /* as the driver says, or the simulated model's */
    unsigned arch;      /* architecture that the kernels are built for: 90 */
    bool have_arch;
    uint32_t width, height;
    bool sized;                     /* SIZE was given */
    uint64_t seed;                  /* 0: the key is secret */
    struct draw_key key;            /* the key of all that is drawn: from the seed, or secret (--key) */
    char image[PATH_SIZE];          /* "": the rendered scene */
    struct image picture;           /* gray; present when image is given */
    char predict[SETTINGS_PREDICT]; /* the learner's prediction of this run, KEY=VALUE ...; "": none */
    char nsys[PATH_SIZE];           /* an export of Nsight Systems to draw in place of a run; "": none */
    double timeout_s;               /* for one exchange with the student's process */
    unsigned rounds;                /* timed rounds on a real GPU */
    bool rounds_given;
    bool strict, force, yes;
    bool no_pictures; /* of a case's input, output and difference none are written */
    bool grading; /* the key is secret, and case order, some sizes and the number of calls are drawn too */
    /* As in session_options; NULL: none. kit_wrapper: of a runner that runs a program of the
     * kit, which no submission may see. */
    const char *const *runner_wrapper, *const *kit_wrapper, *const *simgpu_wrapper;
    const char *compiled; /* as in session_options, for programs that are not the kit's */
};

/* Sets the defaults, and the folders from this program's own path. False and a message when that
 * path is not the kit's, or so long that a path of the kit might not fit; afterwards the kit's
 * own paths need no check. */
bool settings_init(struct settings *settings, char *error, size_t size);

/* Takes one --name value (or --name) of the command line. Returns the number of arguments used;
 * 0 and a message when the option is wrong. */
int settings_option(struct settings *settings, int count, char **arguments, char *error, size_t size);

/* Loads the lab and the GPU's data, finds the device, reads the picture: all that can fail
 * before a kernel runs. */
bool settings_resolve(struct settings *settings, const char *lab, char *error, size_t size);
/* Whether the lab is run as it stands, so that the score counts. False and the options that
 * change it. After settings_resolve. */
bool settings_standard(const struct settings *settings, char *why, size_t size);
/* Only the device part, for commands without a lab. */
bool settings_resolve_device(struct settings *settings, char *error, size_t size);
void settings_free(struct settings *settings);

/* The size of a part of the lab as it is timed: SIZE, that of IMAGE, or the lab's own. */
void settings_part_size(const struct settings *settings, unsigned part, uint32_t *width, uint32_t *height);

/* The timed case of a part of the lab (0 in a lab without parts), with drawn input number
 * `input`. Where one input counts, it is number 0. */
void settings_timed_case(const struct settings *settings, unsigned part, unsigned input,
                         struct problem_case *problem_case);

/* The key for one thing that is drawn for this lab; the format prints the name of the thing. */
__attribute__((format(printf, 2, 3))) struct draw_key settings_key(const struct settings *settings,
                                                                   const char *format, ...);
/* The seed, or the key's name: tells runs with other inputs apart, in file names and reports. */
void settings_key_name(const struct settings *settings, char name[SETTINGS_KEY_NAME]);

/* The architecture to compile for: the largest of `supported` (e.g. "compute_75 compute_80", as
 * nvcc lists them) that is not above the GPU's own, or the smallest there is when all are above.
 * 0 when nothing in the text is an architecture. */
unsigned settings_pick_arch(const char *supported, unsigned own);

/* build/kernels/LAB/VARIANT-ARCH */
void settings_program(const struct settings *settings, const char *variant, char path[PATH_SIZE]);
/* build/kernels/owner/owner-ARCH: the process that owns the buffers when a real GPU grades */
void settings_owner(const struct settings *settings, char path[PATH_SIZE]);

/* ---- device.c */

/* ---- device.c: is there a usable GPU? */

struct device_found {
    unsigned compute_major, compute_minor;
    char name[128];
    char why[160]; /* why there is no usable GPU */
};

/* Asks the driver (libcuda.so.1), in a child process, so that a broken driver cannot end this
 * one. */
bool device_detect(struct device_found *found);
