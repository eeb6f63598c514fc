/* model.c: reads a GPU's data file. A small strict INI: `key = value  # source`, every key exactly once, no
 * sections. */
#include "gpus/gpus.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum value_type { TEXT, COUNT32, COUNT64, REAL, SWITCH };

struct key {
    const char *name;
    enum value_type type;
    size_t offset;
    double minimum, maximum;
};

#define KEY(name, type, minimum, maximum)                                                                    \
    { #name, type, offsetof(struct gpu_model, name), minimum, maximum }

/* Bounds keep the model's arithmetic away from zero divisors and overflow; they say nothing of what is
 * sensible. */
static const struct key keys[] = {
    KEY(name, TEXT, 0, 0),
    KEY(compute_major, COUNT32, 1, 99),
    KEY(compute_minor, COUNT32, 0, 99),
    KEY(sm_count, COUNT32, 1, 4096),
    KEY(max_warps_per_sm, COUNT32, 1, 1024),
    KEY(max_blocks_per_sm, COUNT32, 1, 1024),
    KEY(max_threads_per_sm, COUNT32, 32, 32768),
    KEY(max_threads_per_block, COUNT32, 32, 1024),
    KEY(registers_per_sm, COUNT32, 1024, 16777216),
    KEY(registers_per_block, COUNT32, 1024, 16777216),
    KEY(max_registers_per_thread, COUNT32, 16, 1024),
    KEY(register_granularity, COUNT32, 1, 65536),
    KEY(warp_granularity, COUNT32, 1, 64),
    KEY(shared_per_sm, COUNT32, 1024, 1 << 30),
    KEY(shared_per_block, COUNT32, 1024, 1 << 30),
    KEY(shared_per_block_optin, COUNT32, 1024, 1 << 30),
    KEY(shared_reserved, COUNT32, 0, 65536),
    KEY(shared_granularity, COUNT32, 1, 65536),
    KEY(l1_bytes, COUNT32, 1024, 1 << 30),
    KEY(l1_unified, SWITCH, 0, 1),
    KEY(l2_bytes, COUNT64, 1024, 1e12),
    KEY(memory_bytes, COUNT64, 1 << 20, 1e15),
    KEY(clock_mhz, REAL, 1, 1e5),
    KEY(memory_clock_mhz, REAL, 1, 1e5),
    KEY(memory_bus_bits, COUNT32, 1, 65536),
    KEY(dram_gbs, REAL, 0.1, 1e6),
    KEY(issue_rate, REAL, 0.01, 64),
    KEY(fma_rate, REAL, 0.01, 64),
    KEY(fp32_rate, REAL, 0.01, 64),
    KEY(int_rate, REAL, 0.01, 64),
    KEY(imad_rate, REAL, 0.01, 64),
    KEY(fp64_rate, REAL, 0.001, 64),
    KEY(fp16_rate, REAL, 0.001, 64),
    KEY(special_rate, REAL, 0.001, 64),
    KEY(conversion_rate, REAL, 0.001, 64),
    KEY(shuffle_rate, REAL, 0.001, 64),
    KEY(int_shares_fma, SWITCH, 0, 1),
    KEY(lsu_rate, REAL, 0.01, 64),
    KEY(l1_wavefront_rate, REAL, 0.01, 64),
    KEY(l1_sectors_per_cycle, REAL, 0.01, 64),
    KEY(shared_wavefront_rate, REAL, 0.01, 64),
    KEY(l2_sectors_per_cycle, REAL, 0.1, 1e5),
    KEY(latency_alu, REAL, 1, 1e4),
    KEY(latency_shared, REAL, 1, 1e4),
    KEY(latency_l1, REAL, 1, 1e4),
    KEY(latency_l2, REAL, 1, 1e5),
    KEY(latency_dram, REAL, 1, 1e5),
    KEY(instruction_cycles, REAL, 0.1, 1e3),
    KEY(loads_in_flight, REAL, 1, 1e3),
    KEY(block_turnover, REAL, 0, 1e5),
    KEY(overlap_power, REAL, 1, 64),
    KEY(issue_efficiency, REAL, 0.1, 1),
    KEY(host_link_gbs, REAL, 0.1, 1e4),
    KEY(host_pageable_gbs, REAL, 0.1, 1e4),
    KEY(launch_us, REAL, 0, 1e4),
    KEY(ptx_to_machine, REAL, 0, 4),
    KEY(int_to_machine, REAL, 0.1, 4),
    KEY(control_to_machine, REAL, 0, 4),
};
enum { KEY_COUNT = sizeof keys / sizeof keys[0], FILE_LIMIT = 1 << 20 };

__attribute__((format(printf, 5, 6))) static bool fail(char *error, size_t size, const char *file,
                                                       unsigned line, const char *format, ...) {
    char what[384];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (line != 0)
        snprintf(error, size, "%s:%u: %s", file, line, what);
    else
        snprintf(error, size, "%s: %s", file, what);
    return false;
}

/* Plain decimal only: strtod alone would also take "inf", "nan" and hexadecimal. */
static bool read_number(const char *text, double *value) {
    if (*text == '\0' || strspn(text, "0123456789.eE+-") != strlen(text))
        return false;
    char *end;
    *value = strtod(text, &end);
    return *end == '\0' && end != text;
}

static bool read_count(const char *text, uint64_t *value) {
    if (*text == '\0' || strspn(text, "0123456789") != strlen(text))
        return false;
    errno = 0;
    *value = strtoull(text, NULL, 10);
    return errno == 0;
}

static bool printable(const char *text) {
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++)
        if (*c < ' ' || *c > '~')
            return false;
    return true;
}

static bool store(const struct key *key, const char *value, struct gpu_model *model, char *error, size_t size,
                  const char *file, unsigned line) {
    char *field = (char *)model + key->offset;
    if (key->type == TEXT) {
        if (*value == '\0' || strlen(value) >= sizeof model->name || !printable(value))
            return fail(error, size, file, line, "%s must be 1 to %zu printable characters", key->name,
                        sizeof model->name - 1);
        strcpy(field, value); /* the length was checked above */
        return true;
    }
    double real = 0;
    uint64_t count = 0;
    if (key->type == REAL ? !read_number(value, &real) : !read_count(value, &count))
        return fail(error, size, file, line, "%s = \"%.40s\" is not a %s", key->name,
                    printable(value) ? value : "?", key->type == REAL ? "decimal number" : "whole number");
    if (key->type != REAL)
        real = (double)count;
    if (!(real >= key->minimum && real <= key->maximum))
        return fail(error, size, file, line, "%s = %.40s is outside %.10g to %.10g", key->name, value,
                    key->minimum, key->maximum);
    if (key->type == COUNT32)
        memcpy(field, &(uint32_t){(uint32_t)count}, sizeof(uint32_t));
    else if (key->type == COUNT64)
        memcpy(field, &count, sizeof count);
    else if (key->type == SWITCH)
        memcpy(field, &(bool){count != 0}, sizeof(bool));
    else
        memcpy(field, &real, sizeof real);
    return true;
}

static char *trim(char *text) {
    while (isspace((unsigned char)*text))
        text++;
    char *end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1]))
        *--end = '\0';
    return text;
}

static const struct key *find_key(const char *name) {
    for (size_t i = 0; i < KEY_COUNT; i++)
        if (strcmp(keys[i].name, name) == 0)
            return &keys[i];
    return NULL;
}

/* Relations between keys that the bounds of single keys cannot say. */
static bool check_whole(const struct gpu_model *model, const char *file, char *error, size_t size) {
    if (model->shared_per_block > model->shared_per_block_optin ||
        model->shared_per_block_optin > model->shared_per_sm)
        return fail(error, size, file, 0,
                    "shared_per_block <= shared_per_block_optin <= shared_per_sm does not hold (%u, %u, %u)",
                    model->shared_per_block, model->shared_per_block_optin, model->shared_per_sm);
    if (model->max_threads_per_sm != model->max_warps_per_sm * 32)
        return fail(error, size, file, 0, "max_threads_per_sm (%u) is not 32 * max_warps_per_sm (%u)",
                    model->max_threads_per_sm, model->max_warps_per_sm);
    if (model->registers_per_block > model->registers_per_sm)
        return fail(error, size, file, 0, "registers_per_block (%u) is more than registers_per_sm (%u)",
                    model->registers_per_block, model->registers_per_sm);
    return true;
}

bool gpu_model_parse(const char *text, size_t length, const char *file, struct gpu_model *model, char *error,
                     size_t size) {
    *model = (struct gpu_model){0};
    unsigned first_line[KEY_COUNT] = {0};
    unsigned line = 0;
    for (size_t at = 0; at < length;) {
        const char *end = memchr(text + at, '\n', length - at);
        size_t stop = end != NULL ? (size_t)(end - text) : length;
        line++;
        char buffer[512];
        if (stop - at >= sizeof buffer)
            return fail(error, size, file, line, "longer than %zu characters", sizeof buffer - 1);
        memcpy(buffer, text + at, stop - at);
        buffer[stop - at] = '\0';
        if (strlen(buffer) != stop - at)
            return fail(error, size, file, line, "a NUL byte: this is not a text file");
        at = stop + 1;

        char *comment = strchr(buffer, '#');
        if (comment != NULL)
            *comment = '\0';
        char *content = trim(buffer);
        if (*content == '\0')
            continue;
        char *equals = strchr(content, '=');
        if (equals == NULL)
            return fail(error, size, file, line, "expected \"key = value  # source\"");
        *equals = '\0';
        char *name = trim(content);
        char *value = trim(equals + 1);
        const struct key *key = find_key(name);
        if (key == NULL)
            return fail(error, size, file, line, "unknown key \"%.60s\"", printable(name) ? name : "?");
        unsigned *seen = &first_line[key - keys];
        if (*seen != 0)
            return fail(error, size, file, line, "%s is given twice, first on line %u", key->name, *seen);
        *seen = line;
        if (!store(key, value, model, error, size, file, line))
            return false;
    }
    for (size_t i = 0; i < KEY_COUNT; i++)
        if (first_line[i] == 0)
            return fail(error, size, file, 0, "the key %s is missing", keys[i].name);
    return check_whole(model, file, error, size);
}

bool gpu_model_find_directory(char *path, size_t size) {
    const char *chosen = getenv("GPU_MODELS");
    if (chosen != NULL && *chosen != '\0')
        return (size_t)snprintf(path, size, "%s", chosen) < size;
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0)
        return false;
    program[length] = '\0';
    for (char *slash; (slash = strrchr(program, '/')) != NULL;) {
        *slash = '\0';
        if ((size_t)snprintf(path, size, "%s/common/gpus", program) >= size)
            continue;
        if (access(path, R_OK | X_OK) == 0)
            return true;
    }
    return false;
}

static int by_name(const void *left, const void *right) {
    return strcmp(*(char *const *)left, *(char *const *)right);
}

bool gpu_model_list(const char *directory, char *ids, size_t size) {
    char *names[256];
    size_t count = 0, used = 0;
    DIR *stream = opendir(directory);
    if (stream == NULL || size == 0) {
        if (stream != NULL)
            closedir(stream);
        return false;
    }
    for (struct dirent *entry; count < sizeof names / sizeof names[0] && (entry = readdir(stream)) != NULL;) {
        size_t length = strlen(entry->d_name);
        if (length > 4 && strcmp(entry->d_name + length - 4, ".ini") == 0) {
            names[count] = strndup(entry->d_name, length - 4);
            if (names[count] != NULL)
                count++;
        }
    }
    closedir(stream);
    qsort(names, count, sizeof names[0], by_name);
    bool fits = count > 0;
    ids[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        if (fits && used + strlen(names[i]) + 2 < size)
            used += (size_t)sprintf(ids + used, "%s%s", i > 0 ? " " : "", names[i]);
        else
            fits = false;
        free(names[i]);
    }
    return fits;
}

bool gpu_model_load(const char *directory, const char *id, struct gpu_model *model, char *error,
                    size_t size) {
    *model = (struct gpu_model){0};
    char found[PATH_MAX], path[PATH_MAX + 64], known[512];
    if (directory == NULL) {
        if (!gpu_model_find_directory(found, sizeof found)) {
            snprintf(error, size,
                     "no GPU models found above this program; set GPU_MODELS to the common/gpus directory");
            return false;
        }
        directory = found;
    }
    size_t length = strlen(id);
    bool valid = length > 0 && length < sizeof model->id &&
                 strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789_-") == length;
    FILE *file = NULL;
    if (valid && (size_t)snprintf(path, sizeof path, "%s/%s.ini", directory, id) < sizeof path)
        file = fopen(path, "rb");
    if (file == NULL) {
        if (!gpu_model_list(directory, known, sizeof known))
            snprintf(known, sizeof known, "none in %.300s", directory);
        snprintf(error, size, "no GPU model \"%.40s\"; there are: %s", printable(id) ? id : "?", known);
        return false;
    }
    char *text = malloc(FILE_LIMIT);
    if (text == NULL) {
        fclose(file);
        return fail(error, size, path, 0, "out of memory");
    }
    size_t bytes = fread(text, 1, FILE_LIMIT, file);
    bool read_well = !ferror(file) && bytes < FILE_LIMIT;
    fclose(file);
    bool parsed = read_well
                      ? gpu_model_parse(text, bytes, path, model, error, size)
                      : fail(error, size, path, 0, "cannot be read, or is larger than %d bytes", FILE_LIMIT);
    free(text);
    if (parsed)
        memcpy(model->id, id, length + 1);
    return parsed;
}
