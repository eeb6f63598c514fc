/* Options, folders and the device. */
#include "lab/settings.h"
#include "base/file.h"
#include "base/home.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the kit puts below its folders is shorter: with so much room left, each of its paths is whole. */
enum { ROOM_BELOW = 512 };

bool settings_init(struct settings *s, char *error, size_t size) {
    struct home home;
    *s = (struct settings){.seed = SETTINGS_SEED, .timeout_s = 0, .rounds = SETTINGS_ROUNDS, .strict = true};
    draw_key_of_seed(&s->key, s->seed);
    snprintf(s->gpu, sizeof s->gpu, SETTINGS_GPU);
    if (!home_find(&home, error, size))
        return false;
    memcpy(s->root, home.root, sizeof s->root);
    memcpy(s->build, home.build, sizeof s->build);
    memcpy(s->keep, home.root, sizeof s->keep);
    if (strlen(s->build) < PATH_SIZE - ROOM_BELOW && path_join(s->simgpu, s->build, "bin/simgpu") &&
        path_join(s->library, s->build, "lib/cuda"))
        return true;
    return fails(error, size, "the path of the build folder is too long: %.200s...", s->build);
}

/* ---- options: each takes its value, or says no */

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

static bool read_number(const char *text, uint64_t low, uint64_t high, uint64_t *value) {
    const char *rest;
    return read_unsigned(text, low, high, value, &rest) && *rest == '\0';
}

static bool take_device(struct settings *s, const char *text) {
    static const char *const names[] = {"auto", "cuda", "sim"};
    for (int i = 0; i < 3; i++)
        if (strcmp(text, names[i]) == 0) {
            s->device = (enum device_kind)i;
            return true;
        }
    return false;
}

static bool take_gpu(struct settings *s, const char *text) {
    if (*text == '\0' || strlen(text) >= sizeof s->gpu)
        return false;
    for (const char *c = text; *c != '\0'; c++)
        if (!isalnum((unsigned char)*c) && *c != '-' && *c != '_')
            return false;
    strcpy(s->gpu, text);
    return true;
}

static bool take_size(struct settings *s, const char *text) {
    uint64_t width, height;
    const char *rest;
    if (!read_unsigned(text, 1, IMAGE_MAX_SIDE, &width, &rest) || *rest != 'x' ||
        !read_number(rest + 1, 1, IMAGE_MAX_SIDE, &height) || width * height > (uint64_t)1 << 28)
        return false;
    s->width = (uint32_t)width;
    s->height = (uint32_t)height;
    s->sized = true;
    return true;
}

static bool take_image(struct settings *s, const char *text) {
    return *text != '\0' && path_print(s->image, "%s", text);
}

static bool take_seed(struct settings *s, const char *text) {
    bool right = read_number(text, 1, UINT32_MAX, &s->seed);
    draw_key_of_seed(&s->key, s->seed);
    return right;
}

static bool take_key(struct settings *s, const char *path) {
    char error[SETTINGS_ERROR];
    size_t length;
    char *text = file_read(path, 2 * DRAW_KEY_TEXT, &length, error, sizeof error);
    bool right = text != NULL && strlen(text) == length;
    if (right)
        text[strcspn(text, "\n")] = '\0';
    right = right && draw_key_parse(&s->key, text);
    free(text);
    s->seed = 0;
    return right;
}

static bool take_timeout(struct settings *s, const char *text) {
    uint64_t seconds = 0;
    bool right = read_number(text, 1, 86400, &seconds);
    s->timeout_s = (double)seconds;
    return right;
}

static bool take_rounds(struct settings *s, const char *text) {
    uint64_t rounds = 0;
    s->rounds_given = read_number(text, 1, 10000, &rounds);
    s->rounds = (unsigned)rounds;
    return s->rounds_given;
}

static bool take_arch(struct settings *s, const char *text) {
    uint64_t arch = 0;
    s->have_arch = read_number(text, 10, 999, &arch);
    s->arch = (unsigned)arch;
    return s->have_arch;
}

static bool take_strict(struct settings *s, const char *text) {
    uint64_t strict = 0;
    bool right = read_number(text, 0, 1, &strict);
    s->strict = strict == 1;
    return right;
}

static bool take_predict(struct settings *s, const char *text) {
    return *text != '\0' && snprintf(s->predict, sizeof s->predict, "%s", text) < (int)sizeof s->predict;
}

static bool take_nsys(struct settings *s, const char *text) {
    return *text != '\0' && path_print(s->nsys, "%s", text);
}

static bool take_force(struct settings *s, const char *unused) {
    (void)unused;
    return s->force = true;
}

static bool take_yes(struct settings *s, const char *unused) {
    (void)unused;
    return s->yes = true;
}

static bool take_grading(struct settings *s, const char *unused) {
    (void)unused;
    return s->grading = true;
}

/* form: what the value has to be; NULL: the option has none. */
static const struct option {
    const char *name, *form;
    bool (*take)(struct settings *settings, const char *value);
} options[] = {
    {"--device", "DEVICE is auto, cuda or sim", take_device},
    {"--gpu", "GPU is a model, a file of common/gpu/models, e.g. h200", take_gpu},
    {"--size", "SIZE is WIDTHxHEIGHT, e.g. 2560x1600, each 1 to 32768, at most 2^28 pixels", take_size},
    {"--image", "IMAGE is the path of a PNG, PGM or PPM picture", take_image},
    {"--seed", "SEED is a whole number, 1 to 4294967295", take_seed},
    {"--key", "a key is a file of 64 hexadecimal digits", take_key},
    {"--timeout", "TIMEOUT is a number of seconds, 1 to 86400", take_timeout},
    {"--rounds", "ROUNDS is a number of timed rounds, 1 to 10000", take_rounds},
    {"--arch", "an architecture is a number, e.g. 90", take_arch},
    {"--strict", "STRICT is 0 or 1", take_strict},
    {"--predict", "PREDICT is KEY=VALUE ..., e.g. limiter=l1 speedup=1.9", take_predict},
    {"--nsys", "NSYS is the path of an export of Nsight Systems: nsys export --type sqlite", take_nsys},
    {"--force", NULL, take_force},
    {"--yes", NULL, take_yes},
    {"--grading", NULL, take_grading},
};

int settings_option(struct settings *s, int count, char **arguments, char *error, size_t size) {
    const char *name = arguments[0], *value = count > 1 ? arguments[1] : "";
    const struct option *option = options, *end = options + sizeof options / sizeof *options;
    while (option < end && strcmp(option->name, name) != 0)
        option++;
    if (option == end) {
        snprintf(error, size, "unknown option '%s'", name);
        return 0;
    }
    if (option->take(s, value))
        return option->form != NULL ? 2 : 1;
    snprintf(error, size, "%s; '%s' is not", option->form, value);
    return 0;
}

/* ---- what they mean here */

bool settings_resolve_device(struct settings *s, char *error, size_t size) {
    struct device_found found = {0};
    if (s->device != DEVICE_SIM) {
        bool usable = device_detect(&found);
        if (!usable && s->device == DEVICE_CUDA)
            return fails(error, size, "DEVICE=cuda, but there is no usable GPU: %s. DEVICE=sim needs none.",
                         found.why);
        s->device = usable ? DEVICE_CUDA : DEVICE_SIM;
    }
    bool real = s->device == DEVICE_CUDA;
    if (real ? !gpu_model_nearest(NULL, found.name, found.compute_major, found.compute_minor, &s->model,
                                  error, size)
             : !gpu_model_load(NULL, s->gpu, &s->model, error, size))
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
    if (s->sized && (s->width != s->picture.width || s->height != s->picture.height))
        return fails(error, size, "SIZE=%ux%u and IMAGE=%s (%u x %u) contradict each other: leave SIZE out",
                     s->width, s->height, s->image, s->picture.width, s->picture.height);
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
    if (s->image[0] != '\0' && s->lab.problem->picture == NULL)
        return fails(error, size, "%s computes no picture: leave IMAGE out", lab);
    if (s->image[0] != '\0' && !read_picture(s, error, size))
        return false;
    path_join(s->folder, s->build, lab);
    return folder_make(s->folder, error, size);
}

bool settings_standard(const struct settings *s, char *why, size_t size) {
    bool sized = false;
    for (unsigned part = 0; part < s->lab.part_count; part++) {
        uint32_t width, height;
        part_size(s, part, &width, &height);
        sized = sized || (s->sized && (s->width != width || s->height != height));
    }
    unsigned rounds = s->lab.cuda_rounds != 0 ? s->lab.cuda_rounds : SETTINGS_ROUNDS;
    bool simulated = s->device == DEVICE_SIM;
    const struct {
        const char *name;
        bool other;
    } options[] = {{"SIZE", sized},
                   {"IMAGE", s->image[0] != '\0'},
                   {"GPU", simulated && strcmp(s->gpu, SETTINGS_GPU) != 0},
                   {"SEED", s->seed != SETTINGS_SEED},
                   {"STRICT", !s->strict},
                   {"ROUNDS", !simulated && s->rounds < rounds}};
    unsigned found = 0;
    size_t length = 0;
    why[0] = '\0';
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (options[i].other && length < size)
            length += (size_t)snprintf(why + length, size - length, "%s%s", found++ > 0 ? ", " : "",
                                       options[i].name);
    if (found > 0 && length < size)
        snprintf(why + length, size - length, " %s not the lab's own", found > 1 ? "are" : "is");
    return found == 0;
}

void settings_part_size(const struct settings *s, unsigned part, uint32_t *width, uint32_t *height) {
    *width = s->width; /* SIZE, or those of the first part */
    *height = s->height;
    if (part > 0 && !s->sized)
        part_size(s, part, width, height);
}

void settings_timed_case(const struct settings *s, unsigned part, unsigned input, struct problem_case *c) {
    uint32_t width, height;
    settings_part_size(s, part, &width, &height);
    struct draw_key key = settings_key(s, "part %u, input %u", part, input);
    s->lab.problem->timed_case(part, width, height, &key, c);
    if (s->image[0] != '\0') {
        c->pattern = PATTERN_FILE;
        c->picture = &s->picture;
        snprintf(c->name, sizeof c->name, "%u x %u, your picture", width, height);
    }
}

struct draw_key settings_key(const struct settings *s, const char *format, ...) {
    char text[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    struct draw_key lab = draw_for(&s->key, "%s", s->lab.id);
    return draw_for(&lab, "%s", text);
}

void settings_key_name(const struct settings *s, char name[SETTINGS_KEY_NAME]) {
    if (s->seed == 0)
        draw_key_name(&s->key, name);
    else
        snprintf(name, SETTINGS_KEY_NAME, "%llu", (unsigned long long)s->seed);
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

void settings_program(const struct settings *s, const char *variant, char path[PATH_SIZE]) {
    path_print(path, "%s/kernels/%s/%s-%u", s->build, s->lab.id, variant, s->arch);
}

void settings_owner(const struct settings *s, char path[PATH_SIZE]) {
    path_print(path, "%s/kernels/owner/owner-%u", s->build, s->arch);
}
