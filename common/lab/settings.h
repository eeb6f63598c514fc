/* settings.h: what the command line asks for, checked, and where things lie. */
#ifndef LAB_SETTINGS_H
#define LAB_SETTINGS_H

#include "base/draw/draw.h"
#include "base/path.h"
#include "gpu/time/gpus.h"
#include "lab/problems/lab.h"
#include "report/document/report.h"
#include <stdbool.h>

enum { SETTINGS_ERROR = PATH_SIZE + 1024 }; /* a message that names a path */

/* What is simulated and drawn where nobody says otherwise. */
#define SETTINGS_GPU "h200"
enum { SETTINGS_SEED = 1, SETTINGS_ROUNDS = 31, SETTINGS_KEY_NAME = 24, SETTINGS_PREDICT = 512 };

enum { DEVICE_AUTO = DEVICE_UNKNOWN }; /* a real GPU where there is one, else a simulated one */

struct settings {
    char root[PATH_SIZE];    /* the project's folder */
    char build[PATH_SIZE];   /* the build folder this program lies in: build, or build/sanitize */
    char folder[PATH_SIZE];  /* build/labN, where reports and pictures go */
    char simgpu[PATH_SIZE];  /* the simulated GPU's program, and */
    char library[PATH_SIZE]; /* the folder of the libcudart that speaks to it */
    char keep[PATH_SIZE];    /* below its labs/ lies what is the learner's own (standing.h): the root */
    struct lab lab;
    enum device_kind device; /* never DEVICE_AUTO after settings_resolve */
    char gpu[32];            /* simulated model, or the model whose data fits the real GPU */
    struct gpu_model model;
    char gpu_name[128]; /* as the driver says, or the simulated model's */
    unsigned arch;      /* what the kernels are built for: 90 */
    bool have_arch;
    uint32_t width, height;
    bool sized;            /* SIZE was given */
    uint64_t seed;         /* 0: the key is no seed's */
    struct draw_key key;   /* everything that is drawn follows from it: the seed's, or a secret one (--key) */
    char image[PATH_SIZE]; /* "" : the rendered scene */
    struct image picture;  /* gray, when image is given */
    char predict[SETTINGS_PREDICT]; /* what the learner foretells of this run, KEY=VALUE ...; "": nothing */
    char nsys[PATH_SIZE];           /* an export of Nsight Systems to draw in place of a run; "": none */
    double timeout_s;
    unsigned rounds; /* timed rounds on a real GPU */
    bool rounds_given;
    bool strict, force, yes;
    bool
        grading; /* the key is secret, and more is drawn: the order of cases, some of their sizes, the number of calls */
    /* As in session_options; NULL: none. kit_wrapper: the runner's where it runs a program of the kit's own, which no
     * submission is to see. */
    const char *const *runner_wrapper, *const *kit_wrapper, *const *simgpu_wrapper;
    const char *compiled; /* as in session_options, for all that is no program of the kit's own */
};

/* Defaults, and the folders found from this program's own path. False and a message when it lies somewhere odd, or
 * so deep that a path of the kit's might not fit; after that the kit's own paths need no check. */
bool settings_init(struct settings *settings, char *error, size_t size);

/* One --name value (or --name) of the command line. Returns how many arguments were used, 0 and a message
 * when it is not right. */
int settings_option(struct settings *settings, int count, char **arguments, char *error, size_t size);

/* Load the lab and the GPU's data, find the device, read the picture: everything that can be wrong before a
 * kernel runs. */
bool settings_resolve(struct settings *settings, const char *lab, char *error, size_t size);
/* Is it the lab as it stands, whose score counts? False and which options make it another. After settings_resolve. */
bool settings_standard(const struct settings *settings, char *why, size_t size);
/* Only the device part, for commands without a lab. */
bool settings_resolve_device(struct settings *settings, char *error, size_t size);
void settings_free(struct settings *settings);

/* The size of a part of the lab as it is timed: SIZE, that of IMAGE, or the lab's own. */
void settings_part_size(const struct settings *settings, unsigned part, uint32_t *width, uint32_t *height);

/* The timed case of a part of the lab (0 for a lab without parts), with input number `input` of those that are drawn
 * for it: 0 is the one that counts where there is only one. */
void settings_timed_case(const struct settings *settings, unsigned part, unsigned input,
                         struct problem_case *problem_case);

/* The key under which something is drawn for this lab; what, is printed from format. */
__attribute__((format(printf, 2, 3))) struct draw_key settings_key(const struct settings *settings,
                                                                   const char *format, ...);
/* Tells runs with other inputs apart, in file names and reports: the seed, or the key's name. */
void settings_key_name(const struct settings *settings, char name[SETTINGS_KEY_NAME]);

/* The architecture to compile for: the largest of `supported` (e.g. "compute_75 compute_80", as nvcc lists
 * them) that is not above the GPU's own, or the smallest there is when all are above. 0 when nothing in the
 * text is an architecture. */
unsigned settings_pick_arch(const char *supported, unsigned own);

/* build/kernels/LAB/VARIANT-ARCH */
void settings_program(const struct settings *settings, const char *variant, char path[PATH_SIZE]);
/* build/kernels/owner/owner-ARCH: who owns the buffers when a real GPU grades (session_owner.h) */
void settings_owner(const struct settings *settings, char path[PATH_SIZE]);

#endif
