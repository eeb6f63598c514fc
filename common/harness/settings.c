/* Options, folders and the device. */
#include "harness/settings.h"
#include "base/home.h"
#include "harness/device.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool settings_init(struct settings *s, char *error, size_t size) {
    struct home home;
    *s = (struct settings){.seed = 1, .timeout_s = 0, .rounds = 31, .strict = true};
    snprintf(s->gpu, sizeof s->gpu, "h200");
    if (!home_find(&home, error, size))
        return false;
    if (snprintf(s->root, sizeof s->root, "%s", home.root) < (int)sizeof s->root &&
        snprintf(s->build, sizeof s->build, "%s", home.build) < (int)sizeof s->build - 64)
        return true;
    snprintf(error, size, "the path of the build folder is too long: %.200s...", home.build);
    return false;
}

static bool read_unsigned(const char *text, uint64_t low, uint64_t high, uint64_t *value, const char **rest) {
    char *end;
    errno = 0;
    if (!isdigit((unsigned char)*text))
        return false;
    unsigned long long number = strtoull(text, &end, 10);
    if (errno != 0 || number < low || number > high)
        return false;
    *value = number;
    *rest = end;
    return true;
}

static bool option_size(struct settings *s, const char *text) {
    uint64_t width, height;
    const char *rest;
    if (!read_unsigned(text, 1, IMAGE_MAX_SIDE, &width, &rest) || *rest != 'x' ||
        !read_unsigned(rest + 1, 1, IMAGE_MAX_SIDE, &height, &rest) || *rest != '\0' ||
        width * height > (uint64_t)1 << 28)
        return false;
    s->width = (uint32_t)width;
    s->height = (uint32_t)height;
    s->sized = true;
    return true;
}

static bool option_number(const char *text, uint64_t low, uint64_t high, uint64_t *value) {
    const char *rest;
    return read_unsigned(text, low, high, value, &rest) && *rest == '\0';
}

static bool option_gpu(struct settings *s, const char *text) {
    if (*text == '\0' || strlen(text) >= sizeof s->gpu)
        return false;
    for (const char *c = text; *c != '\0'; c++)
        if (!isalnum((unsigned char)*c) && *c != '-' && *c != '_')
            return false;
    strcpy(s->gpu, text);
    return true;
}

static bool option_device(struct settings *s, const char *text) {
    static const char *const names[] = {"auto", "cuda", "sim"};
    for (int i = 0; i < 3; i++)
        if (strcmp(text, names[i]) == 0) {
            s->device = (enum settings_device)i;
            return true;
        }
    return false;
}

static bool option_image(struct settings *s, const char *text) {
    return snprintf(s->image, sizeof s->image, "%s", text) < (int)sizeof s->image;
}

int settings_option(struct settings *s, int count, char **arguments, char *error, size_t size) {
    const char *name = arguments[0];
    if (strcmp(name, "--force") == 0) {
        s->force = true;
        return 1;
    }
    if (strcmp(name, "--grading") == 0) {
        s->grading = true;
        return 1;
    }
    if (strcmp(name, "--yes") == 0) {
        s->yes = true;
        return 1;
    }
    static const struct {
        const char *name, *form;
    } known[] = {
        {"--device", "DEVICE is auto, cuda or sim"},
        {"--gpu", "GPU is a model, a file of common/gpus, e.g. h200"},
        {"--size", "SIZE is WIDTHxHEIGHT, e.g. 2560x1600, each 1 to 32768, at most 2^28 pixels"},
        {"--image", "IMAGE is the path of a PNG, PGM or PPM picture"},
        {"--seed", "SEED is a whole number"},
        {"--timeout", "TIMEOUT is a number of seconds, 1 to 86400"},
        {"--rounds", "ROUNDS is a number of timed rounds, 1 to 10000"},
        {"--arch", "an architecture is a number, e.g. 90"},
        {"--strict", "STRICT is 0 or 1"},
    };
    size_t i = 0;
    while (i < sizeof known / sizeof *known && strcmp(known[i].name, name) != 0)
        i++;
    if (i == sizeof known / sizeof *known) {
        snprintf(error, size, "unknown option '%s'", name);
        return 0;
    }
    const char *value = count > 1 ? arguments[1] : "";
    uint64_t number = 0;
    bool right = false;
    switch (i) {
    case 0: right = option_device(s, value); break;
    case 1: right = option_gpu(s, value); break;
    case 2: right = option_size(s, value); break;
    case 3: right = *value != '\0' && option_image(s, value); break;
    case 4:
        right = option_number(value, 0, UINT32_MAX, &number);
        s->seed = number;
        break;
    case 5:
        right = option_number(value, 1, 86400, &number);
        s->timeout_s = (double)number;
        break;
    case 6:
        right = option_number(value, 1, 10000, &number);
        s->rounds = (unsigned)number;
        s->rounds_given = right;
        break;
    case 7:
        right = option_number(value, 10, 999, &number);
        s->arch = (unsigned)number;
        s->have_arch = right;
        break;
    case 8:
        right = option_number(value, 0, 1, &number);
        s->strict = number == 1;
        break;
    }
    if (right)
        return 2;
    snprintf(error, size, "%s; '%s' is not", known[i].form, value);
    return 0;
}

bool settings_resolve_device(struct settings *s, char *error, size_t size) {
    struct device_found found = {0};
    if (s->device != DEVICE_SIM) {
        bool usable = device_detect(&found);
        if (!usable && s->device == DEVICE_CUDA) {
            snprintf(error, size, "DEVICE=cuda, but there is no usable GPU: %s. DEVICE=sim needs none.",
                     found.why);
            return false;
        }
        s->device = usable ? DEVICE_CUDA : DEVICE_SIM;
    }
    char folder[SETTINGS_PATH + 32];
    const char *elsewhere = getenv("GPU_MODELS");
    snprintf(folder, sizeof folder, "%s/common/gpus", s->root);
    const char *models = elsewhere != NULL ? elsewhere : folder;
    bool real = s->device == DEVICE_CUDA;
    if (real ? !gpu_model_nearest(models, found.name, found.compute_major, found.compute_minor, &s->model,
                                  error, size)
             : !gpu_model_load(models, s->gpu, &s->model, error, size))
        return false;
    memcpy(s->gpu, s->model.id, sizeof s->gpu);
    snprintf(s->gpu_name, sizeof s->gpu_name, "%s", real ? found.name : s->model.name);
    if (!s->have_arch)
        s->arch = s->device == DEVICE_CUDA ? found.compute_major * 10 + found.compute_minor
                                           : s->model.compute_major * 10 + s->model.compute_minor;
    if (s->timeout_s == 0)
        s->timeout_s = s->device == DEVICE_CUDA ? 30 : 300;
    return true;
}

static bool read_picture(struct settings *s, char *error, size_t size) {
    struct image image;
    if (!image_read(s->image, &image, error, size))
        return false;
    bool right = image_to_gray(&image, &s->picture, error, size);
    image_free(&image);
    if (!right)
        return false;
    if (s->sized && (s->width != s->picture.width || s->height != s->picture.height)) {
        snprintf(error, size, "SIZE=%ux%u and IMAGE=%s (%u x %u) contradict each other: leave SIZE out",
                 s->width, s->height, s->image, s->picture.width, s->picture.height);
        return false;
    }
    s->width = s->picture.width;
    s->height = s->picture.height;
    return true;
}

/* The size of a part where SIZE and IMAGE say nothing. */
static void part_size(const struct settings *s, unsigned part, uint32_t *width, uint32_t *height) {
    const struct lab_part *p = &s->lab.parts[part];
    bool own = s->device == DEVICE_CUDA && p->cuda_width != 0;
    *width = own ? p->cuda_width : p->width;
    *height = own ? p->cuda_height : p->height;
}

bool settings_resolve(struct settings *s, const char *lab, char *error, size_t size) {
    if (!lab_load(s->root, lab, &s->lab, error, size) || !settings_resolve_device(s, error, size))
        return false;
    if (!s->sized)
        part_size(s, 0, &s->width, &s->height);
    if (!s->rounds_given && s->lab.cuda_rounds != 0)
        s->rounds = s->lab.cuda_rounds;
    if (s->image[0] != '\0' && s->lab.problem->picture == NULL) {
        snprintf(error, size, "%s computes no picture: leave IMAGE out", lab);
        return false;
    }
    if (s->image[0] != '\0' && !read_picture(s, error, size))
        return false;
    if (snprintf(s->folder, sizeof s->folder, "%s/%s", s->build, lab) >= (int)sizeof s->folder) {
        snprintf(error, size, "the project's path is too long");
        return false;
    }
    if (mkdir(s->folder, 0777) != 0 && errno != EEXIST) {
        snprintf(error, size, "%s: %s", s->folder, strerror(errno));
        return false;
    }
    return true;
}

void settings_timed_case(const struct settings *s, unsigned part, uint64_t seed, struct problem_case *c) {
    uint32_t width = s->width, height = s->height; /* SIZE, or those of the first part */
    if (part > 0 && !s->sized)
        part_size(s, part, &width, &height);
    s->lab.problem->timed_case(part, width, height, seed, c);
    if (s->image[0] != '\0') {
        c->pattern = PATTERN_FILE;
        c->picture = &s->picture;
        snprintf(c->name, sizeof c->name, "%u x %u, your picture", width, height);
    }
}

void settings_free(struct settings *s) {
    image_free(&s->picture);
}

unsigned settings_pick_arch(const char *supported, unsigned own) {
    unsigned best = 0, least = 0;
    for (const char *at = supported; (at = strstr(at, "compute_")) != NULL;) {
        at += strlen("compute_");
        char *end;
        unsigned long number = strtoul(at, &end, 10);
        if (end == at || number < 10 || number > 999 || isalpha((unsigned char)*end))
            continue; /* compute_90a: features only that chip has */
        if (least == 0 || number < least)
            least = (unsigned)number;
        if (number <= own && number > best)
            best = (unsigned)number;
    }
    return best != 0 ? best : least;
}

void settings_program(const struct settings *s, const char *variant, char *path, size_t size) {
    snprintf(path, size, "%s/kernels/%s/%s-%u", s->build, s->lab.id, variant, s->arch);
}
