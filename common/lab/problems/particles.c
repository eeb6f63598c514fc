/* Lab 10: cases, inputs and oracle of the particles, and how an answer is judged: bit for bit, headers too. */
#include "lab/problems/particles.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The smallest first. One cell, one particle; widths and heights around a strip's 32 rows; long and thin both ways; more
 * steps than buffers that take turns; crowds (all in one place). */
static const struct {
    uint16_t width, height, steps;
    uint32_t count;
    uint8_t pattern;
} cases[] = {
    {4, 4, 1, 8, PATTERN_NOISE},        {1, 1, 1, 1, PATTERN_NOISE},        {1, 1, 3, 5, PATTERN_NOISE},
    {4, 4, 2, 8, PATTERN_ZEROS},        {2, 3, 4, 7, PATTERN_NOISE},        {8, 8, 3, 64, PATTERN_POINT},
    {7, 5, 3, 33, PATTERN_NOISE},       {16, 16, 2, 1, PATTERN_NOISE},      {1, 40, 3, 50, PATTERN_NOISE},
    {40, 1, 3, 50, PATTERN_NOISE},      {33, 31, 2, 257, PATTERN_NOISE},    {31, 32, 3, 255, PATTERN_NOISE},
    {32, 33, 4, 256, PATTERN_MAXIMUM},  {64, 64, 5, 1000, PATTERN_NOISE},   {63, 65, 6, 1023, PATTERN_NOISE},
    {100, 97, 7, 4097, PATTERN_NOISE},  {5, 300, 3, 2000, PATTERN_NOISE},   {300, 5, 3, 2000, PATTERN_NOISE},
    {128, 64, 4, 70000, PATTERN_POINT}, {200, 150, 9, 9999, PATTERN_NOISE},
};

static void name_case(struct problem_case *c) {
    const char *what = c->pattern == PATTERN_ZEROS     ? ", no field"
                       : c->pattern == PATTERN_MAXIMUM ? ", strong"
                       : c->pattern == PATTERN_POINT   ? ", crowded"
                                                       : "";
    snprintf(c->name, sizeof c->name, "%u x %u, %u step%s, %u%s", (unsigned)c->size[PARTICLES_WIDTH] % 10000,
             (unsigned)c->size[PARTICLES_HEIGHT] % 10000, (unsigned)c->size[PARTICLES_STEPS] % 1000,
             c->size[PARTICLES_STEPS] == 1 ? "" : "s", (unsigned)c->size[PARTICLES_COUNT] % 100000000, what);
}

static void get_case(unsigned index, const struct draw_key *key, struct problem_case *c) {
    *c = (struct problem_case){
        .size = {cases[index].width, cases[index].height, cases[index].steps, cases[index].count},
        .key = draw_for(key, "case %u", index),
        .number = index,
        .pattern = cases[index].pattern};
    name_case(c);
}

static void draw_case(const struct draw_key *key, struct problem_case *c) {
    struct draw draw;
    draw_begin(&draw, key);
    int64_t width = 1 + (int64_t)draw_below(&draw, 200), height = 1 + (int64_t)draw_below(&draw, 200);
    *c = (struct problem_case){
        .size = {width, height, 1 + (int64_t)draw_below(&draw, 8), 1 + (int64_t)draw_below(&draw, 10000)},
        .key = *key,
        .pattern = PATTERN_NOISE};
    name_case(c);
}

/* As many particles as cells. */
static void timed_case(unsigned part, uint32_t width, uint32_t height, const struct draw_key *key,
                       struct problem_case *c) {
    enum { STEPS = 24 };
    (void)part;
    *c = (struct problem_case){
        .size = {width, height, STEPS, (int64_t)width * height}, .key = *key, .pattern = PATTERN_NOISE};
    name_case(c);
}

uint64_t particles_strip_bytes(int64_t width) {
    return (PARTICLES_HEADER + (uint64_t)width * PARTICLES_ROWS * 2 + 15) / 16 * 16;
}

uint64_t particles_record_bytes(int64_t width, int64_t height) {
    return (uint64_t)((height + PARTICLES_ROWS - 1) / PARTICLES_ROWS) * particles_strip_bytes(width);
}

static void layout(const struct problem_case *c, struct problem_layout *l) {
    uint64_t records = (uint64_t)c->size[PARTICLES_STEPS] *
                       particles_record_bytes(c->size[PARTICLES_WIDTH], c->size[PARTICLES_HEIGHT]),
             count = (uint64_t)c->size[PARTICLES_COUNT], bytes = count * PARTICLE_BYTES;
    *l = (struct problem_layout){
        .input_count = 2,
        .output_count = 2,
        .bytes = {bytes, records, records, bytes},
        .shape = {{"start", "particle", SHAPE_VECTOR, PARTICLE_BYTES, 0, count, 1, .pitch = count},
                  {"field", "byte", SHAPE_VECTOR, 1, 0, records, 1, .pitch = records},
                  {"frames", "byte", SHAPE_VECTOR, 1, 0, records, 1, .pitch = records},
                  {"end", "particle", SHAPE_VECTOR, PARTICLE_BYTES, 0, count, 1, .pitch = count}}};
}

/* ---- records */

static int64_t rows_of(const int64_t size[], int64_t strip) {
    int64_t left = size[PARTICLES_HEIGHT] - strip * PARTICLES_ROWS;
    return left < PARTICLES_ROWS ? left : PARTICLES_ROWS;
}

static int64_t strips_of(const int64_t size[]) {
    return (size[PARTICLES_HEIGHT] + PARTICLES_ROWS - 1) / PARTICLES_ROWS;
}

static uint64_t record_at(const int64_t size[], int64_t step) {
    return (uint64_t)step * particles_record_bytes(size[PARTICLES_WIDTH], size[PARTICLES_HEIGHT]);
}

/* Where cell (x, y) of a record lies. */
static uint64_t cell_at(const int64_t size[], int64_t x, int64_t y) {
    return (uint64_t)(y / PARTICLES_ROWS) * particles_strip_bytes(size[PARTICLES_WIDTH]) + PARTICLES_HEADER +
           2 * (uint64_t)(y % PARTICLES_ROWS * size[PARTICLES_WIDTH] + x);
}

static void put_header(const int64_t size[], uint8_t *record, int64_t step, int64_t strip, int64_t rows) {
    const uint32_t words[] = {(uint32_t)step, (uint32_t)strip, (uint32_t)rows,
                              (uint32_t)size[PARTICLES_WIDTH]};
    uint8_t *header = record + (uint64_t)strip * particles_strip_bytes(size[PARTICLES_WIDTH]);
    for (unsigned i = 0; i < PARTICLES_HEADER; i++)
        header[i] = (uint8_t)(words[i / 4] >> i % 4 * 8);
}

static void put_cell(uint8_t *record, uint64_t at, uint32_t value) {
    record[at] = (uint8_t)(value >> 8);
    record[at + 1] = (uint8_t)value;
}

/* ---- inputs */

static void fill(const struct problem_case *c, void *const inputs[]) {
    const int64_t *size = c->size;
    struct draw_key particle_key = draw_for(&c->key, "particles"), field_key = draw_for(&c->key, "field");
    struct problem_layout l;
    layout(c, &l);
    uint32_t *start = inputs[PARTICLES_START];
    uint8_t *field = inputs[PARTICLES_FIELD];
    draw_bytes(&particle_key, 0, start, l.bytes[PARTICLES_START]);
    draw_bytes(&field_key, 0, field, l.bytes[PARTICLES_FIELD]); /* what is between strips, too */
    for (int64_t i = 0; i < size[PARTICLES_COUNT]; i++) {
        uint32_t *p = start + PARTICLE_WORDS * i;
        for (unsigned axis = 0; axis < 2; axis++) {
            if (c->pattern == PATTERN_POINT)
                p[axis] = 0x80000000u + (p[axis] >> 8);
            p[2 + axis] = (uint32_t)((int32_t)p[2 + axis] / 256); /* about a cell a step */
        }
    }
    for (int64_t step = 0; step < size[PARTICLES_STEPS]; step++) {
        uint8_t *record = field + record_at(size, step);
        for (int64_t strip = 0; strip < strips_of(size); strip++)
            put_header(size, record, step, strip, rows_of(size, strip));
        for (int64_t y = 0; c->pattern == PATTERN_ZEROS && y < size[PARTICLES_HEIGHT]; y++)
            memset(record + cell_at(size, 0, y), 0, 2 * (size_t)size[PARTICLES_WIDTH]);
        for (int64_t y = 0; c->pattern == PATTERN_MAXIMUM && y < size[PARTICLES_HEIGHT]; y++)
            for (int64_t x = 0; x < size[PARTICLES_WIDTH]; x++)
                put_cell(record, cell_at(size, x, y), record[cell_at(size, x, y)] & 1 ? 0x7fff : 0x8000);
    }
}

/* ---- the oracle */

static int64_t cell_of(uint32_t place, int64_t cells) {
    return (int64_t)((uint64_t)place * (uint64_t)cells >> 32);
}

/* Mistakes that are common in this lab, in the order of causes[]. */
enum mistake {
    FIELD_UNSIGNED,
    FIELD_SWAPPED,
    FRAME_WRAPS,
    FRAME_SWAPPED,
    BOTH_SWAPPED,
    HEADER_ROWS,
    HEADER_MISSING,
    DENSITY_KEPT,
    LAST_PUSH_MISSING,
    EDGES_CLAMPED,
    SPEED_DIVIDED,
    NO_MISTAKE
};

static const struct problem_cause causes[] = {
    [FIELD_UNSIGNED] = {"field-unsigned", "the field's numbers are taken as unsigned",
                        "They are signed 16-bit numbers: (int16_t)."},
    [FIELD_SWAPPED] = {"field-swapped", "the two bytes of the field's numbers are not exchanged",
                       "In a record the high byte comes first."},
    [FRAME_WRAPS] = {"frame-wraps", "counts above 65535 are cut to 16 bits",
                     "A frame's largest number is 65535."},
    [FRAME_SWAPPED] = {"frame-swapped", "the two bytes of the frames' numbers are swapped",
                       "In a record the high byte comes first."},
    [BOTH_SWAPPED] = {"bytes-swapped",
                      "no number's two bytes are exchanged, neither the field's nor the frames'",
                      "In a record the high byte comes first."},
    [HEADER_ROWS] = {"header-rows", "every header says 32 rows", "The last strip may have fewer."},
    [HEADER_MISSING] = {"header-missing", "nobody writes the headers",
                        "Each strip begins with one: lab10.h."},
    [DENSITY_KEPT] = {"density-kept", "the density is not set to 0 after the first step",
                      "Clear it in each step."},
    [LAST_PUSH_MISSING] = {"last-push", "the last step's push is missing, or end is copied before it",
                           "The particles move in every step, the last one too."},
    [EDGES_CLAMPED] = {"edges", "a cell at the edge is its own neighbour there",
                       "Beyond the last column comes the first, and likewise the rows."},
    [SPEED_DIVIDED] = {"speed-divided", "speed / 16 is taken for speed >> 4",
                       "A division rounds to 0, the shift rounds down."},
    {NULL, NULL, NULL},
};

/* A speed after one step: pushed, then a sixteenth of it lost, rounded down. */
static uint32_t pushed(uint32_t speed, uint32_t force, enum mistake mistake) {
    speed += 4 * force;
    return speed - (uint32_t)(mistake == SPEED_DIVIDED ? (int32_t)speed / 16 : (int32_t)speed >> 4);
}

static int64_t neighbour(int64_t at, int64_t by, int64_t cells, enum mistake mistake) {
    bool outside = at + by < 0 || at + by >= cells;
    return outside && mistake == EDGES_CLAMPED ? at : (at + by + cells) % cells;
}

static void put_frame(const int64_t size[], int64_t step, uint8_t *frame, const uint32_t *density,
                      enum mistake mistake) {
    int64_t width = size[PARTICLES_WIDTH];
    for (int64_t strip = 0; strip < strips_of(size) && mistake != HEADER_MISSING; strip++)
        put_header(size, frame, step, strip, mistake == HEADER_ROWS ? PARTICLES_ROWS : rows_of(size, strip));
    for (int64_t y = 0; y < size[PARTICLES_HEIGHT]; y++)
        for (int64_t x = 0; x < width; x++) {
            uint32_t own = density[y * width + x];
            own = own < 65535 || mistake == FRAME_WRAPS ? own : 65535;
            put_cell(frame, cell_at(size, x, y),
                     mistake == FRAME_SWAPPED || mistake == BOTH_SWAPPED ? own >> 8 | own << 8 : own);
        }
}

static void push(const int64_t size[], uint32_t *particles, const uint32_t *potential, enum mistake mistake) {
    int64_t width = size[PARTICLES_WIDTH], height = size[PARTICLES_HEIGHT];
    for (int64_t i = 0; i < size[PARTICLES_COUNT]; i++) {
        uint32_t *p = particles + PARTICLE_WORDS * i;
        int64_t x = cell_of(p[0], width), y = cell_of(p[1], height);
        const uint32_t *row = potential + y * width;
        p[2] = pushed(p[2], row[neighbour(x, -1, width, mistake)] - row[neighbour(x, 1, width, mistake)],
                      mistake);
        p[3] = pushed(p[3],
                      potential[neighbour(y, -1, height, mistake) * width + x] -
                          potential[neighbour(y, 1, height, mistake) * width + x],
                      mistake);
        p[0] += p[2];
        p[1] += p[3];
    }
}

static void take_step(const int64_t size[], int64_t step, const uint8_t *field, uint8_t *frame,
                      uint32_t *particles, uint32_t *density, uint32_t *potential, enum mistake mistake) {
    int64_t width = size[PARTICLES_WIDTH], height = size[PARTICLES_HEIGHT];
    if (mistake != DENSITY_KEPT || step == 0)
        memset(density, 0, (size_t)(width * height) * sizeof *density);
    for (int64_t i = 0; i < size[PARTICLES_COUNT]; i++) {
        const uint32_t *p = particles + PARTICLE_WORDS * i;
        density[cell_of(p[1], height) * width + cell_of(p[0], width)]++;
    }
    put_frame(size, step, frame, density, mistake);
    for (int64_t y = 0; y < height; y++)
        for (int64_t x = 0; x < width; x++) {
            uint64_t at = cell_at(size, x, y);
            unsigned first = mistake == FIELD_SWAPPED || mistake == BOTH_SWAPPED; /* the high byte */
            uint32_t number = (uint32_t)field[at + first] << 8 | field[at + 1 - first],
                     value = mistake == FIELD_UNSIGNED ? number : (uint32_t)(int16_t)number;
            potential[y * width + x] = 16 * value + 64 * density[y * width + x];
        }
    if (mistake != LAST_PUSH_MISSING || step < size[PARTICLES_STEPS] - 1)
        push(size, particles, potential, mistake);
}

static bool run(const int64_t size[], const uint32_t *start, const uint8_t *field, uint8_t *frames,
                uint32_t *end, enum mistake mistake) {
    size_t cells = (size_t)(size[PARTICLES_WIDTH] * size[PARTICLES_HEIGHT]);
    uint32_t *density = malloc(cells * sizeof *density), *potential = malloc(cells * sizeof *potential);
    bool right = density != NULL && potential != NULL;
    if (right) {
        memcpy(end, start, (size_t)size[PARTICLES_COUNT] * PARTICLE_BYTES);
        for (int64_t step = 0; step < size[PARTICLES_STEPS]; step++)
            take_step(size, step, field + record_at(size, step), frames + record_at(size, step), end, density,
                      potential, mistake);
    }
    free(density);
    free(potential);
    return right;
}

bool particles_oracle(const int64_t size[], const uint32_t *start, const uint8_t *field, uint8_t *frames,
                      uint32_t *end) {
    return run(size, start, field, frames, end, NO_MISTAKE);
}

static bool solve(const struct problem_case *c, const void *const inputs[], void *const outputs[]) {
    return particles_oracle(c->size, inputs[PARTICLES_START], inputs[PARTICLES_FIELD], outputs[0],
                            outputs[1]);
}

/* ---- how an answer is judged */

enum { FRAMES, END }; /* the outputs */

/* How many wrong elements of a frame hold the frame before it, or what the place held before the call: what an early read
 * leaves there. */
struct early {
    uint64_t before, poison;
    int64_t first_step; /* that has a wrong element; -1: none */
};

/* The first word of a header that differs. */
static void list_header(int64_t step, int64_t strip, const uint8_t *expected, const uint8_t *got,
                        struct problem_wrong *w) {
    static const char *const names[] = {"step", "strip", "rows", "width"};
    unsigned word = 0;
    uint32_t e, g;
    if (w == NULL)
        return;
    while (memcmp(expected + 4 * word, got + 4 * word, 4) == 0)
        word++;
    memcpy(&e, expected + 4 * word, 4);
    memcpy(&g, got + 4 * word, 4);
    snprintf(w->where, sizeof w->where, "frame %d, header %d: %s", (int)step, (int)strip, names[word]);
    snprintf(w->got, sizeof w->got, "%" PRIu32, g);
    snprintf(w->expected, sizeof w->expected, "%" PRIu32, e);
}

static void compare_frame(const int64_t size[], int64_t step, const uint8_t *expected, const uint8_t *got,
                          uint8_t poison, struct early *early, struct problem_verdict *v) {
    int64_t width = size[PARTICLES_WIDTH], height = size[PARTICLES_HEIGHT];
    uint64_t record = record_at(size, 1), strip_bytes = particles_strip_bytes(width), wrong = v->wrong;
    for (int64_t strip = 0; strip < strips_of(size); strip++) {
        const uint8_t *e = expected + (uint64_t)strip * strip_bytes, *g = got + (uint64_t)strip * strip_bytes;
        if (memcmp(e, g, PARTICLES_HEADER) == 0)
            continue;
        list_header(step, strip, e, g, problem_list(v, (uint64_t)(g - got)));
    }
    for (int64_t y = 0; y < height; y++)
        for (int64_t x = 0; x < width; x++) {
            uint64_t at = cell_at(size, x, y);
            if (memcmp(expected + at, got + at, 2) == 0)
                continue;
            early->poison += got[at] == poison && got[at + 1] == poison;
            early->before += step > 0 && memcmp(expected + at - record, got + at, 2) == 0;
            struct problem_wrong *w = problem_list(v, at);
            if (w == NULL)
                continue;
            snprintf(w->where, sizeof w->where, "frame %d (%d, %d)", (int)step, (int)x, (int)y);
            snprintf(w->got, sizeof w->got, "%d", got[at] << 8 | got[at + 1]);
            snprintf(w->expected, sizeof w->expected, "%d", expected[at] << 8 | expected[at + 1]);
        }
    if (v->wrong > wrong && early->first_step < 0)
        early->first_step = step;
}

static uint64_t compare_particles(const struct problem_case *c, const uint32_t *expected, const uint32_t *got,
                                  struct problem_verdict *v) {
    uint64_t before = v->wrong;
    for (int64_t i = 0; i < c->size[PARTICLES_COUNT]; i++) {
        const uint32_t *e = expected + PARTICLE_WORDS * i, *g = got + PARTICLE_WORDS * i;
        if (memcmp(e, g, PARTICLE_BYTES) == 0)
            continue;
        struct problem_wrong *w = problem_list(v, (uint64_t)i);
        if (w == NULL)
            continue;
        unsigned word = 0;
        while (e[word] == g[word])
            word++;
        snprintf(w->where, sizeof w->where, "end[%d].%c", (int)i, "xyzw"[word]);
        snprintf(w->got, sizeof w->got, "%" PRIu32, g[word]);
        snprintf(w->expected, sizeof w->expected, "%" PRIu32, e[word]);
    }
    return v->wrong - before;
}

/* What is true of the wrong elements, whatever made them so. */
static void say_hint(const struct early *early, int64_t steps, uint64_t frames, uint64_t particles,
                     struct problem_verdict *v) {
    if (frames > 0 && early->poison == frames)
        snprintf(
            v->hint, sizeof v->hint,
            "Every wrong element of the frames holds what stood there before the call: the first is in frame "
            "%" PRId64 ". Is it copied back, and is that waited for before particles_run returns?",
            early->first_step);
    else if (frames > 0 && early->before == frames)
        snprintf(v->hint, sizeof v->hint,
                 "Every wrong cell, from frame %" PRId64 " on, holds the value of the frame before: does "
                 "something wait for the copy, or for the kernel, before it goes on?",
                 early->first_step);
    else if (frames == 0 && particles > 0)
        snprintf(v->hint, sizeof v->hint,
                 "The frame%s right: only the particles after the last step are not.%s",
                 steps == 1 ? " is" : "s are",
                 steps == 1 ? " In a run of one step no frame shows what the field does." : "");
    else if (early->first_step > 0)
        snprintf(v->hint, sizeof v->hint,
                 early->first_step == 1 ? "Frame 0 is right." : "Frames 0 to %" PRId64 " are right.",
                 early->first_step - 1);
}

static bool is_same(const struct problem_case *c, const uint8_t *frames, const uint8_t *got, const void *end,
                    const void *got_end) {
    struct problem_verdict v = {0};
    struct early ignored = {.first_step = -1};
    for (int64_t step = 0; step < c->size[PARTICLES_STEPS] && v.wrong == 0; step++)
        compare_frame(c->size, step, frames + record_at(c->size, step), got + record_at(c->size, step), 0,
                      &ignored, &v);
    return v.wrong == 0 && memcmp(end, got_end, (size_t)c->size[PARTICLES_COUNT] * PARTICLE_BYTES) == 0;
}

/* The mistakes that give exactly this result, as bits; 0 where that would take long. */
static uint32_t find_mistakes(const struct problem_case *c, const void *const got[], uint8_t poison) {
    enum { MOST_WORK = 1 << 20 };
    struct problem_layout l;
    void *buffer[4] = {NULL};
    uint32_t fits = 0;
    bool right = c->size[PARTICLES_STEPS] *
                     (c->size[PARTICLES_WIDTH] * c->size[PARTICLES_HEIGHT] + c->size[PARTICLES_COUNT]) <=
                 MOST_WORK;
    layout(c, &l);
    for (unsigned i = 0; i < 4 && right; i++)
        right = (buffer[i] = malloc(l.bytes[i])) != NULL;
    if (right)
        fill(c, buffer);
    for (int mistake = 0; right && mistake < NO_MISTAKE; mistake++) {
        memset(buffer[PARTICLES_FRAMES], poison, l.bytes[PARTICLES_FRAMES]);
        right = run(c->size, buffer[PARTICLES_START], buffer[PARTICLES_FIELD], buffer[PARTICLES_FRAMES],
                    buffer[PARTICLES_END], (enum mistake)mistake);
        if (right && is_same(c, buffer[PARTICLES_FRAMES], got[FRAMES], buffer[PARTICLES_END], got[END]))
            fits |= 1u << mistake;
    }
    for (unsigned i = 0; i < 4; i++)
        free(buffer[i]);
    return fits;
}

static void compare(const struct problem_case *c, const void *const expected[], const void *const got[],
                    uint8_t poison, struct problem_verdict *v) {
    const int64_t *size = c->size;
    uint64_t cells = (uint64_t)(size[PARTICLES_WIDTH] * size[PARTICLES_HEIGHT]);
    struct early early = {.first_step = -1};
    *v = (struct problem_verdict){.total =
                                      (uint64_t)size[PARTICLES_STEPS] * (cells + (uint64_t)strips_of(size)) +
                                      (uint64_t)size[PARTICLES_COUNT]};
    for (int64_t step = 0; step < size[PARTICLES_STEPS]; step++)
        compare_frame(size, step, (const uint8_t *)expected[FRAMES] + record_at(size, step),
                      (const uint8_t *)got[FRAMES] + record_at(size, step), poison, &early, v);
    uint64_t frames = v->wrong, particles = compare_particles(c, expected[END], got[END], v);
    v->passed = v->wrong == 0;
    if (v->passed)
        return;
    snprintf(v->message, sizeof v->message,
             "%" PRIu64 " elements of the frames and %" PRIu64 " particles differ, of %" PRIu64, frames,
             particles, v->total);
    say_hint(&early, size[PARTICLES_STEPS], frames, particles, v);
    v->fits = find_mistakes(c, got, poison);
}

/* A particle: 2 multiplications for its cell twice, 4 differences, 6 of speed and place; a cell: 3. The least that must
 * move in the device's memory is little: the caches hold it. */
static void work(const struct problem_case *c, struct problem_work *w) {
    double cells = (double)c->size[PARTICLES_WIDTH] * (double)c->size[PARTICLES_HEIGHT],
           steps = (double)c->size[PARTICLES_STEPS], count = (double)c->size[PARTICLES_COUNT];
    *w = (struct problem_work){.bytes = 2 * count * PARTICLE_BYTES + 4 * cells * steps,
                               .operations = steps * (14 * count + 3 * cells),
                               .elements = steps};
}

const struct problem problem_particles = {
    .function = "particles",
    .on_host = true,
    .element = "element",
    .criterion = "bit for bit",
    .place = "",
    .outside = "index is not below the count: check each thread's",
    .size_names = {[PARTICLES_WIDTH] = "width",
                   [PARTICLES_HEIGHT] = "height",
                   [PARTICLES_STEPS] = "steps",
                   [PARTICLES_COUNT] = "count"},
    PROBLEM_FUNCTIONS,
    .part_count = 1,
    .timed_case = timed_case,
    .compare = compare,
    .causes = causes,
};
