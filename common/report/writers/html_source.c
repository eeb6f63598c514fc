/* html_source.c: the source with the cost of each line. */
#include "report/writers/html_parts.h"

#include "base/file.h"
#include "base/path.h"
#include "report/writers/format.h"
#include "report/writers/html_escape.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A long program launches its kernels thousands of times: only the longest are listed. */
enum { TOP_KERNELS = 16 };
enum { SOURCE_LIMIT = 4 << 20, LINE_LIMIT = 20000 };

/* Cost of one source line, over all kernels and kinds of access. */
struct cost {
    double heat;  /* 0..1: share of its unit's work, times how busy that unit is */
    double waste; /* most transactions per ideal one, over its accesses */
    char text[240];
};

struct chosen {
    uint32_t count;
    const struct kernel_report *kernels[TOP_KERNELS];
    double weight[TOP_KERNELS]; /* share of their time together */
};

struct listing {
    const char *file;
    uint32_t lines;     /* the highest with a cost */
    struct cost *costs; /* by line; 0 is unused */
    bool named; /* the first file with that name, without its folders, so that its lines can be linked to */
};

static enum gpu_unit unit_of(enum line_kind kind) {
    if (kind == LINE_SHARED_LOAD || kind == LINE_SHARED_STORE)
        return GPU_SHARED;
    return line_kind_is_access(kind) ? GPU_L1 : GPU_ISSUE;
}

static double all_transactions(const struct kernel_report *kernel, enum gpu_unit unit) {
    double sum = 0;
    for (uint32_t i = 0; i < kernel->line_count; i++)
        if (unit_of(kernel->lines[i].kind) == unit)
            sum += (double)kernel->lines[i].transactions;
    return sum;
}

static void add_cost(struct cost *cost, const struct kernel_report *kernel, double weight,
                     const struct kernel_line *line) {
    enum gpu_unit unit = unit_of(line->kind);
    double all = all_transactions(kernel, unit), busy = kernel->unit_share[unit];
    if (unit == GPU_ISSUE || line->requests == 0) /* branches: named, not coloured */
        all = 0;
    double heat = all > 0 ? (double)line->transactions / all * (isfinite(busy) ? busy : 0.5) : 0;
    cost->heat = fmin(cost->heat + weight * heat, 1);
    double each = line->requests > 0 ? (double)line->transactions / (double)line->requests : 0;
    double ideal = line->requests > 0 ? (double)line->ideal / (double)line->requests : 0;
    if (unit != GPU_ISSUE && line->ideal > 0)
        cost->waste = fmax(cost->waste, (double)line->transactions / (double)line->ideal);
    size_t used = strlen(cost->text);
    char count[FORMAT_SIZE];
    const char *kind = line_kind_words(line->kind);
    format_count(count, line->requests);
    if (unit == GPU_ISSUE && line->transactions > 0)
        snprintf(cost->text + used, sizeof cost->text - used, "%s%.0f %% split", used > 0 ? "; " : "",
                 100 * (double)line->transactions / (double)line->requests);
    else if (unit != GPU_ISSUE && each > 1.05 * ideal && ideal > 0)
        snprintf(cost->text + used, sizeof cost->text - used, "%s%s %s: %.1f for %.1f", used > 0 ? "; " : "",
                 kind, count, each, ideal);
    else if (unit != GPU_ISSUE)
        snprintf(cost->text + used, sizeof cost->text - used, "%s%s %s: %.1f", used > 0 ? "; " : "", kind,
                 count, each);
}

/* Writes what warps wait for at that line, if it takes a notable share of their time. */
static void add_wait(struct cost *cost, const struct kernel_wait *wait) {
    size_t used = strlen(cost->text);
    if (wait->share >= 0.02 && wait->stall_share > 0)
        snprintf(cost->text + used, sizeof cost->text - used, "%swaits %.0f %%: %s", used > 0 ? "; " : "",
                 100 * wait->share, gpu_stall_name(wait->stall));
}

/* Writes the line's share of the machine instructions, if it is notable. */
static void add_executed(struct cost *cost, const struct kernel_executed *executed,
                         const struct executed_line *line) {
    size_t used = strlen(cost->text);
    double share = executed_share(executed, line);
    char pipes[64];
    executed_pipes(line, pipes, sizeof pipes);
    if (share >= 0.02)
        snprintf(cost->text + used, sizeof cost->text - used, "%sexecutes %.0f %%: %s", used > 0 ? "; " : "",
                 100 * share, pipes);
}

/* Adds a line to the listing if it belongs to the file. */
static void reach(struct listing *listing, const char *file, uint32_t line) {
    if (strcmp(file, listing->file) == 0 && line <= LINE_LIMIT && line > listing->lines)
        listing->lines = line;
}

static bool is_listed(const struct listing *listing, const char *file, uint32_t line) {
    return strcmp(file, listing->file) == 0 && line > 0 && line <= listing->lines;
}

static bool collect(struct listing *listing, const struct chosen *run) {
    for (uint32_t k = 0; k < run->count; k++) {
        const struct kernel_report *kernel = run->kernels[k];
        for (uint32_t i = 0; i < kernel->line_count; i++)
            reach(listing, kernel->lines[i].file, kernel->lines[i].line);
        for (uint32_t i = 0; i < kernel->executed.count; i++)
            reach(listing, kernel->executed.lines[i].file, kernel->executed.lines[i].line);
        for (uint32_t i = 0; i < kernel->waits.count; i++)
            reach(listing, kernel->waits.lines[i].file, kernel->waits.lines[i].line);
    }
    listing->costs = calloc((size_t)listing->lines + 1, sizeof *listing->costs);
    if (listing->costs == NULL)
        return false;
    for (uint32_t k = 0; k < run->count; k++) {
        const struct kernel_report *kernel = run->kernels[k];
        for (uint32_t i = 0; i < kernel->line_count; i++) {
            const struct kernel_line *line = &kernel->lines[i];
            if (is_listed(listing, line->file, line->line))
                add_cost(&listing->costs[line->line], kernel, run->weight[k], line);
        }
        for (uint32_t i = 0; i < kernel->executed.count; i++) {
            const struct executed_line *line = &kernel->executed.lines[i];
            if (is_listed(listing, line->file, line->line))
                add_executed(&listing->costs[line->line], &kernel->executed, line);
        }
        for (uint32_t i = 0; i < kernel->waits.count; i++) {
            const struct kernel_wait *wait = &kernel->waits.lines[i];
            if (is_listed(listing, wait->file, wait->line))
                add_wait(&listing->costs[wait->line], wait);
        }
    }
    return true;
}

/* Opens the file as the compiler named it, else below root, with leading folders dropped until one
 * is found. NULL: there is none, or it is no text. */
static char *read_source(const char *path, const char *root) {
    char tried[PATH_SIZE], why[64];
    size_t length = 0;
    char *text = file_read(path, SOURCE_LIMIT, &length, why, sizeof why);
    for (const char *tail = path; text == NULL && root != NULL && tail != NULL; tail = strchr(tail, '/')) {
        while (*tail == '/')
            tail++;
        if (path_join(tried, root, tail))
            text = file_read(tried, SOURCE_LIMIT, &length, why, sizeof why);
    }
    if (text != NULL && (length == 0 || strlen(text) != length)) {
        free(text);
        return NULL;
    }
    return text;
}

/* Writes the file's name without its folders, and the line. */
void html_place(FILE *to, const char *file, uint32_t line) {
    for (const char *at = path_name(file); *at != '\0'; at++)
        fputc(isalnum((unsigned char)*at) || *at == '.' ? *at : '_', to);
    fprintf(to, "-%u", line);
}

static void print_line(FILE *to, const struct listing *listing, uint32_t number, const char *text,
                       const struct cost *cost) {
    static const struct cost nothing;
    if (cost == NULL)
        cost = &nothing;
    fputs("<div class=\"l\"", to);
    if (listing->named && *cost->text != '\0') {
        fputs(" id=\"", to);
        html_place(to, listing->file, number);
        fputs("\"", to);
    }
    if (cost->heat >= 0.005)
        fprintf(to, " style=\"background:rgba(235,110,20,%.2f)\"", 0.06 + 0.24 * cost->heat);
    fprintf(to, "><span class=\"n\">%u</span><code>", number);
    html_escape(to, text);
    fprintf(to, "</code><span class=\"m%s\">", cost->waste > 2.05 ? " waste" : "");
    html_words(to, cost->text);
    if (cost->heat >= 0.005)
        fprintf(to, "; unit busy %.0f %%", 100 * cost->heat);
    fputs("</span></div>\n", to);
}

static void print_listing(FILE *to, struct listing *listing, char *source) {
    fputs("<div class=\"source\">\n", to);
    uint32_t number = 1;
    for (char *next = source; next != NULL && *next != '\0'; number++) {
        char *line = strsep(&next, "\n");
        print_line(to, listing, number, line, number <= listing->lines ? &listing->costs[number] : NULL);
    }
    fputs("</div>\n", to);
}

/* Without the source: lists the lines with a cost, by number. */
static void print_costs(FILE *to, const struct listing *listing) {
    fputs("<p class=\"note\">The source file cannot be read from here; the lines alone:</p>\n"
          "<div class=\"source\">\n",
          to);
    for (uint32_t number = 1; number <= listing->lines; number++)
        if (*listing->costs[number].text != '\0')
            print_line(to, listing, number, "", &listing->costs[number]);
    fputs("</div>\n", to);
}

/* Whether this line's file, or (base) one with its name in another folder, was listed before. */
static bool seen_before(const struct chosen *run, uint32_t kernel, uint32_t line, bool base) {
    const char *file = run->kernels[kernel]->lines[line].file;
    for (uint32_t k = 0; k <= kernel; k++)
        for (uint32_t i = 0; i < (k == kernel ? line : run->kernels[k]->line_count); i++) {
            const char *other = run->kernels[k]->lines[i].file;
            bool same = strcmp(other, file) == 0;
            if (base ? !same && strcmp(path_name(other), path_name(file)) == 0 : same)
                return true;
        }
    return false;
}

/* The file's name relative to root, if it lies there. realpath writes at most PATH_SIZE bytes. */
static const char *below(const char *file, const char *root) {
    char folder[PATH_SIZE];
    if (root == NULL || realpath(root, folder) == NULL)
        return file;
    size_t length = strlen(folder);
    return strncmp(file, folder, length) == 0 && file[length] == '/' ? file + length + 1 : file;
}

static void choose(struct chosen *chosen, const struct report_run *run) {
    uint32_t top[TOP_KERNELS];
    chosen->count = run_top_kernels(run, top, TOP_KERNELS);
    double all = 0;
    for (uint32_t k = 0; k < chosen->count; k++) {
        chosen->kernels[k] = &run->kernels[top[k]];
        all += isfinite(run->kernels[top[k]].time_us) ? run->kernels[top[k]].time_us : 0;
    }
    for (uint32_t k = 0; k < chosen->count; k++) {
        double time = chosen->kernels[k]->time_us;
        chosen->weight[k] = all > 0 && isfinite(time) ? time / all : 1.0 / chosen->count;
    }
}

static const char introduction[] =
    "<h2 id=\"source\">Source</h2>\n"
    "<p class=\"note\">Beside each line: the kind of access, how many requests of a warp, and \"5.0 for 1.0\": "
    "the sectors (global) or passes over the banks (shared) one request takes, and the fewest that carry the same "
    "bytes. \"executes 12 %: alu 60\": of the machine instructions that warps executed, and of the line's own the share of each "
    "pipe. \"waits 12 %\": of the time of all warps, modelled, what goes before the line, and its first reason. \"unit busy 40 %\": of the time, the line's accesses keep the L1 cache or the shared memory busy; the stronger the colour, the more.</p>\n";

void html_source(FILE *to, const struct report_run *run, const char *source_root) {
    struct chosen chosen;
    choose(&chosen, run);
    bool first = true;
    for (uint32_t k = 0; k < chosen.count; k++)
        for (uint32_t i = 0; i < chosen.kernels[k]->line_count; i++) {
            struct listing listing = {.file = chosen.kernels[k]->lines[i].file};
            if (*listing.file == '\0' || seen_before(&chosen, k, i, false) || !collect(&listing, &chosen))
                continue;
            listing.named = !seen_before(&chosen, k, i, true);
            if (first) {
                fputs(introduction, to);
                html_terms(to, "request sector wavefront coalescing divergence pipe");
            }
            first = false;
            fputs("<h3><code>", to);
            html_escape(to, below(listing.file, source_root));
            fputs("</code></h3>\n", to);
            char *source = read_source(listing.file, source_root);
            if (source != NULL)
                print_listing(to, &listing, source);
            else
                print_costs(to, &listing);
            free(source);
            free(listing.costs);
        }
}
