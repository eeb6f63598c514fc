/* expression.c: a recursive-descent parser: sums of products of factors. */
#include "lab/quiz/expression.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MOST = 16, ARGUMENTS = 4, LANES = 32, SECTOR = 32, BANKS = 32 };

struct reader {
    const char *at;
    const struct expression_names *names;
    const struct gpu_model *model;
    unsigned depth;
    char *error;
    size_t size;
};

static bool refuse(const struct reader *r, const char *what, const char *text) {
    (void)fails(r->error, r->size, "%s '%.40s'", what, text);
    return false;
}

unsigned quiz_sectors(uint64_t width, uint64_t bytes, uint64_t pitch, uint64_t offset) {
    uint64_t seen[LANES * 4];
    unsigned count = 0;
    for (uint64_t lane = 0; lane < LANES; lane++) {
        uint64_t first = offset + lane / width * pitch + lane % width * bytes;
        for (uint64_t sector = first / SECTOR; sector <= (first + bytes - 1) / SECTOR; sector++) {
            unsigned i = 0;
            while (i < count && seen[i] != sector)
                i++;
            if (i == count && count < LANES * 4)
                seen[count++] = sector;
        }
    }
    return count;
}

unsigned quiz_wavefronts(uint64_t stride) {
    unsigned worst = 0;
    for (uint64_t bank = 0; bank < BANKS; bank++) {
        unsigned words = 0;
        for (uint64_t lane = 0; lane < LANES; lane++)
            words += lane * stride % BANKS == bank && (stride != 0 || lane == 0);
        worst = words > worst ? words : worst;
    }
    return worst;
}

static bool whole(const struct reader *r, double value, double low, double high, const char *function) {
    return (value >= low && value <= high && value == floor(value)) ||
           refuse(r, "an argument is out of range for", function);
}

static bool fits(const struct reader *r, const char *name, const double *a, double *value) {
    for (int i = 0; i < 3; i++)
        if (!whole(r, a[i], i == 2 ? 0 : 1, 1 << 20, name))
            return false;
    struct gpu_occupancy fit = gpu_occupancy(r->model, (uint32_t)a[0], (uint32_t)a[1], (uint32_t)a[2]);
    *value = *name == 'o' ? fit.fraction * 100 : fit.blocks_per_sm;
    return true;
}

static bool call(const struct reader *r, const char *name, unsigned count, const double *a, double *value) {
    static const struct {
        const char *name;
        unsigned arguments;
    } functions[] = {{"ceil", 1},   {"floor", 1},     {"round", 1},   {"min", 2},       {"max", 2},
                     {"blocks", 3}, {"occupancy", 3}, {"sectors", 4}, {"wavefronts", 1}};
    size_t f = 0, known = sizeof functions / sizeof *functions;
    while (f < known && strcmp(functions[f].name, name) != 0)
        f++;
    if (f == known)
        return refuse(r, "there is no function", name);
    if (count != functions[f].arguments)
        return refuse(r, "another number of arguments is asked by", name);
    switch (f) {
    case 0: *value = ceil(a[0]); return true;
    case 1: *value = floor(a[0]); return true;
    case 2: *value = round(a[0]); return true;
    case 3: *value = fmin(a[0], a[1]); return true;
    case 4: *value = fmax(a[0], a[1]); return true;
    case 5:
    case 6: return fits(r, name, a, value);
    case 7:
        if (!whole(r, a[0], 1, LANES, name) || !whole(r, a[1], 1, 16, name) ||
            !whole(r, a[2], 0, 1 << 30, name) || !whole(r, a[3], 0, 1 << 30, name))
            return false;
        *value = quiz_sectors((uint64_t)a[0], (uint64_t)a[1], (uint64_t)a[2], (uint64_t)a[3]);
        return true;
    default:
        if (!whole(r, a[0], 0, 1 << 20, name))
            return false;
        *value = quiz_wavefronts((uint64_t)a[0]);
        return true;
    }
}

static bool of_model(const struct gpu_model *m, const char *name, double *value) {
    const struct {
        const char *name;
        double value;
    } known[] = {{"sm_count", m->sm_count},
                 {"clock_mhz", m->clock_mhz},
                 {"dram_gbs", m->dram_gbs},
                 {"max_warps", m->max_warps_per_sm},
                 {"max_blocks", m->max_blocks_per_sm},
                 {"registers_per_sm", m->registers_per_sm},
                 {"shared_per_sm", m->shared_per_sm},
                 {"shared_reserved", m->shared_reserved},
                 {"issue_rate", m->issue_rate},
                 {"fma_rate", m->fma_rate},
                 {"lsu_rate", m->lsu_rate}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0) {
            *value = known[i].value;
            return true;
        }
    return false;
}

static void skip(struct reader *r) {
    r->at += strspn(r->at, " \t");
}

static bool sum(struct reader *r, double *value);

static bool arguments(struct reader *r, const char *name, double *value) {
    double a[ARGUMENTS];
    unsigned count = 0;
    do {
        r->at++; /* "(" or "," */
        if (count == ARGUMENTS)
            return refuse(r, "too many arguments for", name);
        if (!sum(r, &a[count++]))
            return false;
        skip(r);
    } while (*r->at == ',');
    if (*r->at != ')')
        return refuse(r, "no ) behind the arguments of", name);
    r->at++;
    return call(r, name, count, a, value);
}

static bool named(struct reader *r, double *value) {
    char name[24];
    size_t length = 0;
    while (isalnum((unsigned char)r->at[length]) || r->at[length] == '_')
        length++;
    if (length >= sizeof name)
        return refuse(r, "too long a name", r->at);
    memcpy(name, r->at, length);
    name[length] = '\0';
    r->at += length;
    skip(r);
    if (*r->at == '(')
        return arguments(r, name, value);
    for (unsigned i = 0; i < r->names->count; i++)
        if (strcmp(r->names->name[i], name) == 0) {
            *value = r->names->value[i];
            return true;
        }
    return of_model(r->model, name, value) || refuse(r, "nothing above is named", name);
}

static bool number(struct reader *r, double *value) {
    char text[32], *end;
    size_t length = strspn(r->at, "0123456789.");
    if (length == 0 || length >= sizeof text)
        return refuse(r, "a number, a name or ( is missing before", r->at);
    memcpy(text, r->at, length);
    text[length] = '\0';
    *value = strtod(text, &end);
    if (*end != '\0')
        return refuse(r, "not a number:", text);
    r->at += length;
    return true;
}

static bool factor(struct reader *r, double *value) {
    skip(r);
    bool negative = *r->at == '-', right;
    r->at += negative;
    if (*r->at == '(') {
        r->at++;
        right = sum(r, value);
        skip(r);
        if (right && *r->at != ')')
            return refuse(r, "no ) before", r->at);
        r->at += right;
    } else {
        right = isalpha((unsigned char)*r->at) ? named(r, value) : number(r, value);
    }
    if (right && negative)
        *value = -*value;
    return right;
}

static bool product(struct reader *r, double *value) {
    if (!factor(r, value))
        return false;
    for (skip(r); *r->at == '*' || *r->at == '/'; skip(r)) {
        bool divide = *r->at++ == '/';
        double next;
        if (!factor(r, &next))
            return false;
        if (divide && next == 0)
            return refuse(r, "divided by zero before", r->at);
        *value = divide ? *value / next : *value * next;
    }
    return true;
}

static bool sum(struct reader *r, double *value) {
    if (++r->depth > DEPTH_MOST)
        return refuse(r, "too many ( before", r->at);
    if (!product(r, value))
        return false;
    for (skip(r); *r->at == '+' || *r->at == '-'; skip(r)) {
        bool minus = *r->at++ == '-';
        double next;
        if (!product(r, &next))
            return false;
        *value = minus ? *value - next : *value + next;
    }
    r->depth--;
    return true;
}

bool expression_value(const char *text, const struct expression_names *names, const struct gpu_model *model,
                      double *value, char *error, size_t size) {
    struct reader r = {.at = text, .names = names, .model = model, .error = error, .size = size};
    if (!sum(&r, value))
        return false;
    skip(&r);
    if (*r.at != '\0')
        return refuse(&r, "not understood:", r.at);
    return isfinite(*value) || refuse(&r, "no finite number:", text);
}
