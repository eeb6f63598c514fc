/* changes.c: compares two runs of a lab. */
#include "report/document/changes.h"

#include "base/path.h"
#include "report/writers/format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the lines of two texts */

enum { LINES_MOST = 4000 };

struct piece {
    const char *at;
    size_t length; /* without white space at both ends */
};

static uint32_t split(const char *text, struct piece *pieces) {
    uint32_t count = 0;
    while (*text != '\0' && count < LINES_MOST) {
        size_t length = strcspn(text, "\n");
        const char *from = text + strspn(text, " \t"), *end = text + length;
        if (from > end)
            from = end;
        while (end > from && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
            end--;
        pieces[count++] = (struct piece){from, (size_t)(end - from)};
        text += length + (text[length] == '\n');
    }
    return count;
}

static bool equal(const struct piece *a, const struct piece *b) {
    return a->length == b->length && memcmp(a->at, b->at, a->length) == 0;
}

/* The longest common subsequence of lines, by the table of lengths. */
static void match(const struct piece *old, uint32_t old_count, const struct piece *new, uint32_t new_count,
                  uint16_t *length, uint32_t *from) {
    size_t width = (size_t)new_count + 1;
    for (uint32_t i = old_count; i-- > 0;)
        for (uint32_t j = new_count; j-- > 0;) {
            uint16_t down = length[(i + 1) * width + j], right = length[i * width + j + 1];
            length[i * width + j] = equal(&old[i], &new[j]) ? (uint16_t)(length[(i + 1) * width + j + 1] + 1)
                                    : down > right          ? down
                                                            : right;
        }
    for (uint32_t i = 0, j = 0; i < old_count && j < new_count;) {
        if (equal(&old[i], &new[j])) {
            from[j + 1] = i + 1;
            i++;
            j++;
        } else if (length[(i + 1) * width + j] >= length[i * width + j + 1]) {
            i++;
        } else {
            j++;
        }
    }
}

uint32_t *changes_follow(const char *before, const char *after, uint32_t *count) {
    struct piece *old = calloc(LINES_MOST, sizeof *old), *new = calloc(LINES_MOST, sizeof *new);
    uint32_t *from = NULL;
    *count = 0;
    if (old != NULL && new != NULL) {
        uint32_t old_count = split(before, old), new_count = split(after, new);
        uint16_t *length = calloc(((size_t)old_count + 1) * ((size_t)new_count + 1), sizeof *length);
        if (length != NULL && old_count < LINES_MOST && new_count < LINES_MOST)
            from = calloc((size_t)new_count + 1, sizeof *from);
        if (from != NULL) {
            match(old, old_count, new, new_count, length, from);
            *count = new_count;
        }
        free(length);
    }
    free(old);
    free(new);
    return from;
}

/* ---- costs of lines */

/* A line's accesses of one kind, over all kernels of a run. */
struct access {
    const char *file; /* without its folders */
    uint32_t line;
    enum line_kind kind;
    double requests, transactions;
    bool told;
};

static struct access *accesses(const struct report_run *run, uint32_t *count) {
    size_t most = 1;
    for (uint32_t k = 0; k < run->kernel_count; k++)
        most += run->kernels[k].line_count;
    struct access *list = calloc(most, sizeof *list);
    *count = 0;
    for (uint32_t k = 0; list != NULL && k < run->kernel_count; k++)
        for (uint32_t i = 0; i < run->kernels[k].line_count; i++) {
            const struct kernel_line *line = &run->kernels[k].lines[i];
            uint32_t at = 0;
            if (line->requests == 0 || !line_kind_is_access(line->kind))
                continue;
            while (at < *count && (list[at].line != line->line || list[at].kind != line->kind ||
                                   strcmp(list[at].file, path_name(line->file)) != 0))
                at++;
            if (at == *count)
                list[(*count)++] =
                    (struct access){path_name(line->file), line->line, line->kind, 0, 0, false};
            list[at].requests += (double)line->requests;
            list[at].transactions += (double)line->transactions;
        }
    return list;
}

static bool is_shared(enum line_kind kind) {
    return kind == LINE_SHARED_LOAD || kind == LINE_SHARED_STORE;
}

static const char *unit_of(enum line_kind kind) {
    return is_shared(kind) ? "passes" : "sectors";
}

static struct change *add(struct changes *changes, double weight) {
    uint32_t at = changes->count;
    if (at == CHANGES_MOST) { /* the smallest weight is replaced */
        if (weight <= changes->items[at - 1].weight)
            return NULL;
        at--;
    } else {
        changes->count++;
    }
    for (; at > 0 && changes->items[at - 1].weight < weight; at--)
        changes->items[at] = changes->items[at - 1];
    changes->items[at] = (struct change){.weight = weight};
    return &changes->items[at];
}

/* Whether two numbers differ by more than 1 %. */
static bool differs(double before, double after) {
    return fabs(after - before) > 0.01 * fmax(fabs(before), fabs(after));
}

static void tell_line(struct changes *changes, const char *part, const struct access *before,
                      const struct access *after, double all) {
    const struct access *one = after != NULL ? after : before;
    char from[FORMAT_SIZE], to[FORMAT_SIZE], place[96];
    double old = before != NULL ? before->transactions : 0, now = after != NULL ? after->transactions : 0;
    double weight = all > 0 ? fabs(now - old) / all : 0;
    bool each = before != NULL && after != NULL &&
                differs(before->transactions / before->requests, after->transactions / after->requests);
    if (before != NULL && after != NULL && !each && !differs(before->requests, after->requests))
        return;
    struct change *change = add(changes, weight);
    if (change == NULL)
        return;
    snprintf(change->file, sizeof change->file, "%.60s", one->file);
    change->line = after != NULL ? after->line : 0;
    snprintf(place, sizeof place, "%s%s%.48s:%u %s", part, *part != '\0' ? ": " : "", one->file, one->line,
             line_kind_words(one->kind));
    if (after == NULL)
        snprintf(change->text, sizeof change->text, "%s (as it was): gone, %s requests", place,
                 format_count(from, (uint64_t)before->requests));
    else if (before == NULL)
        snprintf(change->text, sizeof change->text, "%s: new, %s requests of %s %s", place,
                 format_count(from, (uint64_t)after->requests),
                 format_number(to, after->transactions / after->requests), unit_of(after->kind));
    else if (each)
        snprintf(change->text, sizeof change->text, "%s: %s -> %s %s per request", place,
                 format_number(from, before->transactions / before->requests),
                 format_number(to, after->transactions / after->requests), unit_of(after->kind));
    else
        snprintf(change->text, sizeof change->text, "%s: %s -> %s requests", place,
                 format_count(from, (uint64_t)before->requests), format_count(to, (uint64_t)after->requests));
}

/* Pairs edited lines: between unchanged lines, the only access of a kind replaces the earlier
 * one. */
static struct access *edited(struct access *old, uint32_t old_count, const struct access *now,
                             uint32_t now_count, const struct access *wanted, const uint32_t *from,
                             uint32_t lines, uint32_t old_lines) {
    uint32_t low = wanted->line, high = low, old_low, old_high, met = 0;
    struct access *found = NULL;
    while (low > 0 && from[low] == 0)
        low--;
    while (high <= lines && from[high] == 0)
        high++;
    old_low = low > 0 ? from[low] : 0;
    old_high = high <= lines ? from[high] : old_lines + 1;
    for (uint32_t i = 0; i < now_count; i++)
        if (now[i].kind == wanted->kind && now[i].line > low && now[i].line < high &&
            strcmp(now[i].file, wanted->file) == 0)
            met++;
    if (met != 1)
        return NULL;
    for (uint32_t i = 0; i < old_count; i++)
        if (old[i].kind == wanted->kind && old[i].line > old_low && old[i].line < old_high &&
            strcmp(old[i].file, wanted->file) == 0) {
            if (found != NULL)
                return NULL;
            found = &old[i];
        }
    return found;
}

static uint32_t lines_of(const char *text) {
    uint32_t count = 0;
    for (const char *at = text; at != NULL && *at != '\0'; at++)
        count += *at == '\n';
    return count + 1;
}

static bool lines(struct changes *changes, const char *part, const struct report_run *before,
                  const char *before_source, const struct report_run *after, const char *after_source) {
    uint32_t old_count, now_count, length = 0;
    struct access *old = accesses(before, &old_count), *now = accesses(after, &now_count);
    uint32_t *from = before_source != NULL && after_source != NULL
                         ? changes_follow(before_source, after_source, &length)
                         : NULL;
    double all[2] = {0};
    bool right = old != NULL && now != NULL;
    for (uint32_t i = 0; right && i < old_count; i++)
        all[is_shared(old[i].kind)] += old[i].transactions;
    for (uint32_t i = 0; right && i < now_count; i++) {
        struct access *was = NULL;
        /* Only the student's file has texts that can be compared. */
        bool own = from != NULL && strcmp(now[i].file, "kernel.cu") == 0 && now[i].line <= length;
        uint32_t line = own ? from[now[i].line] : now[i].line;
        for (uint32_t k = 0; line > 0 && was == NULL && k < old_count; k++)
            if (old[k].line == line && old[k].kind == now[i].kind && strcmp(old[k].file, now[i].file) == 0)
                was = &old[k];
        if (own && line == 0)
            was = edited(old, old_count, now, now_count, &now[i], from, length, lines_of(before_source));
        if (was != NULL)
            was->told = true;
        tell_line(changes, part, was, &now[i], all[is_shared(now[i].kind)]);
    }
    for (uint32_t i = 0; right && i < old_count; i++)
        if (!old[i].told)
            tell_line(changes, part, &old[i], NULL, all[is_shared(old[i].kind)]);
    free(old);
    free(now);
    free(from);
    return right;
}

/* ---- the run as a whole */

static void counters(struct changes *changes, const char *part, const struct report_run *before,
                     const struct report_run *after) {
    static const struct {
        enum counter counter;
        const char *words;
    } told[] = {
        {COUNTER_warp_instructions, "instructions of warps"},
        {COUNTER_global_load_requests, "global load requests"},
        {COUNTER_global_load_sectors, "global load sectors"},
        {COUNTER_global_store_sectors, "global store sectors"},
        {COUNTER_shared_load_wavefronts, "passes of shared loads"},
        {COUNTER_shared_store_wavefronts, "passes of shared stores"},
        {COUNTER_shared_bank_conflicts, "bank conflicts"},
        {COUNTER_local_load_sectors, "local load sectors"},
        {COUNTER_l2_read_sectors, "sectors read from L2"},
        {COUNTER_dram_read_bytes, "bytes read from DRAM"},
        {COUNTER_dram_write_bytes, "bytes written to DRAM"},
        {COUNTER_divergent_branches, "split branches"},
        {COUNTER_barriers, "barriers"},
    };
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        uint64_t old, now;
        char from[FORMAT_SIZE], to[FORMAT_SIZE];
        if (!report_run_counter(before, told[i].counter, &old) ||
            !report_run_counter(after, told[i].counter, &now) || !differs((double)old, (double)now))
            continue;
        double larger = fmax((double)old, (double)now), smaller = fmin((double)old, (double)now);
        /* Sorts below any changed line: lines come first, then the whole kernel. */
        struct change *change = add(changes, -1 + 0.5 * (1 - smaller / larger));
        if (change != NULL)
            snprintf(change->text, sizeof change->text, "%s%s%s: %s -> %s", part, *part != '\0' ? ": " : "",
                     told[i].words, format_count(from, old), format_count(to, now));
    }
}

static const struct kernel_report *longest(const struct report_run *run) {
    uint32_t top;
    return run_top_kernels(run, &top, 1) > 0 ? &run->kernels[top] : NULL;
}

/* The longest kernel of that name; NULL: there is none. */
static const struct kernel_report *longest_named(const struct report_run *run, const char *name) {
    const struct kernel_report *found = NULL;
    for (uint32_t i = 0; i < run->kernel_count; i++)
        if (strcmp(run->kernels[i].name, name) == 0 &&
            (found == NULL || run->kernels[i].time_us > found->time_us))
            found = &run->kernels[i];
    return found;
}

/* Compares the time, then the longest kernel with that of its name, which is told where there are several. */
static void whole(struct changes *changes, const char *part, const struct report *report,
                  const struct report_run *before, const struct report_run *after) {
    const struct kernel_report *now = longest(after),
                               *old = now != NULL ? longest_named(before, now->name) : NULL;
    const char *gap = *part != '\0' ? ": " : "";
    char from[FORMAT_SIZE], to[FORMAT_SIZE], ratio[FORMAT_SIZE];
    struct change *change;
    if (isfinite(before->time_us) && isfinite(after->time_us) && before->time_us > 0 && after->time_us > 0 &&
        (change = add(changes, 1e9)) != NULL) {
        bool same = !differs(before->time_us, after->time_us), faster = after->time_us < before->time_us;
        double times = faster ? before->time_us / after->time_us : after->time_us / before->time_us;
        if (same)
            snprintf(change->text, sizeof change->text, "%s%stime %s, as before", part, gap,
                     format_time(to, after->time_us));
        else
            snprintf(change->text, sizeof change->text, "%s%stime %s -> %s, %s %s%s", part, gap,
                     format_time(from, before->time_us), format_time(to, after->time_us),
                     format_ratio(ratio, times), faster ? "faster" : "slower",
                     report_not_apart(report, before, after) ? "; a GPU may find no difference" : "");
    }
    if (old == NULL)
        return;
    char of[48] = "";
    if (after->kernel_count > 1)
        snprintf(of, sizeof of, "%.*s, ", (int)fmin((double)strcspn(now->name, "(<"), 40), now->name);
    if (old->limiter != now->limiter && (change = add(changes, 1e8)) != NULL)
        snprintf(change->text, sizeof change->text, "%s%s%slimited by %s -> %s", part, gap, of,
                 gpu_unit_name(old->limiter), gpu_unit_name(now->limiter));
    if ((memcmp(old->grid, now->grid, sizeof old->grid) != 0 ||
         memcmp(old->block, now->block, sizeof old->block) != 0) &&
        (change = add(changes, 1e7)) != NULL)
        snprintf(change->text, sizeof change->text,
                 "%s%s%sgrid %ux%ux%u -> %ux%ux%u, block %ux%ux%u -> %ux%ux%u", part, gap, of, old->grid[0],
                 old->grid[1], old->grid[2], now->grid[0], now->grid[1], now->grid[2], old->block[0],
                 old->block[1], old->block[2], now->block[0], now->block[1], now->block[2]);
    if (old->registers != now->registers && (change = add(changes, 1e6)) != NULL)
        snprintf(change->text, sizeof change->text, "%s%s%sregisters of a thread %u -> %u", part, gap, of,
                 old->registers, now->registers);
    if (old->shared_bytes != now->shared_bytes && (change = add(changes, 1e5)) != NULL)
        snprintf(change->text, sizeof change->text, "%s%s%sshared memory of a block %s -> %s", part, gap, of,
                 format_bytes(from, old->shared_bytes), format_bytes(to, now->shared_bytes));
    if (differs(old->occupancy_theoretical, now->occupancy_theoretical) &&
        (change = add(changes, 1e4)) != NULL)
        snprintf(change->text, sizeof change->text, "%s%s%soccupancy at most %s -> %s", part, gap, of,
                 format_share(from, old->occupancy_theoretical),
                 format_share(to, now->occupancy_theoretical));
}

bool changes_between(const struct report *before, const char *before_source, const struct report *after,
                     const char *after_source, struct changes *changes) {
    bool right = true;
    for (uint32_t i = 0; i < after->run_count; i++) {
        const struct report_run *now = &after->runs[i];
        const char *part = now->part != NULL ? now->part : "";
        const struct report_run *old = report_find_part_run(before, part, now->name);
        if (strcmp(now->name, RUN_YOURS) != 0 || old == NULL)
            continue;
        whole(changes, part, after, old, now);
        right = lines(changes, part, old, before_source, now, after_source) && right;
        counters(changes, part, old, now);
    }
    return right;
}

void changes_print(const struct terminal *t, const struct changes *changes) {
    enum { SHOWN = 10 };
    if (changes == NULL || changes->count == 0)
        return;
    terminal_print(t, STYLE_STRONG, "\nSince %s\n", changes->since);
    for (uint32_t i = 0; i < changes->count && i < SHOWN; i++) {
        fputs("  - ", t->out);
        terminal_wrap(t, STYLE_NORMAL, 4, 4, changes->items[i].text);
    }
    if (changes->count > SHOWN)
        terminal_print(t, STYLE_DIM, "  and %u more on the page\n", changes->count - SHOWN);
}
