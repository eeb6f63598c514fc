/* html_kernel.c: one kernel on the page. */
#include "report/writers/html_parts.h"

#include "report/findings/findings.h"
#include "report/writers/breakdown.h"
#include "report/writers/format.h"
#include "report/writers/html_escape.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void html_words(FILE *to, const char *text) {
    for (; *text != '\0'; text++) {
        html_escape(to, (const char[]){*text, '\0'});
        fputs(*text == '_' ? "<wbr>" : "", to);
    }
}

void html_bar(FILE *to, const char *name, const char *title, double share, const char *words,
              const char *kind) {
    double width = 100 * (share > 1 ? 1 : share);
    bool folded = *title != '\0';
    fprintf(to, "<div class=\"bar %s\">%s", kind, folded ? "<details><summary>" : "<span>");
    html_words(to, name);
    if (folded) {
        fputs("</summary>", to);
        html_escape(to, title);
    }
    fprintf(to, "%s<i><b style=\"width:%.1f%%\"></b></i><span>", folded ? "</details>" : "</span>",
            isfinite(width) ? width : 0);
    html_escape(to, words);
    fputs("</span></div>\n", to);
}

/* How busy each unit is; each unit's name is explained beside its bar. */
static void units(FILE *to, const struct kernel_report *kernel) {
    bool any = false;
    for (int unit = 0; unit < GPU_UNIT_COUNT; unit++) {
        double share = kernel->unit_share[unit];
        char busy[FORMAT_SIZE], words[FORMAT_SIZE + 160];
        if (!isfinite(share) || share <= 0)
            continue;
        if (!any)
            fputs("<h4>How busy each unit is</h4>\n", to);
        any = true;
        const char *name = gpu_unit_name((enum gpu_unit)unit);
        bool limit = unit == (int)kernel->limiter;
        snprintf(words, sizeof words, "%s%s", format_share(busy, share),
                 !limit                    ? ""
                 : kernel_at_limit(kernel) ? ", the limit"
                                           : ", the most");
        html_bar(to, name, gpu_unit_meaning((enum gpu_unit)unit), share, words, limit ? "limit" : "");
    }
    if (!any)
        return;
    fputs(
        "<p class=\"note\">Each bar: how long the counters alone would keep that unit busy, as a share of the kernel's "
        "time.</p>\n",
        to);
    html_terms(to, "issue fma lsu latency scoreboard launch");
}

static void waits(FILE *to, const struct kernel_report *kernel) {
    double left[GPU_STALL_COUNT];
    if (!kernel->waits.known)
        return;
    fputs("<h4>What its warps wait for</h4>\n", to);
    memcpy(left, kernel->waits.share, sizeof left);
    for (enum gpu_stall top; (top = gpu_stall_top(left)) != GPU_STALL_COUNT && left[top] >= 0.01;
         left[top] = 0) {
        char share[FORMAT_SIZE];
        html_bar(to, gpu_stall_name(top), gpu_stall_meaning(top), left[top], format_share(share, left[top]),
                 "other");
    }
    fputs(
        "<p class=\"note\">Of the time of all warps, modelled, by Nsight Compute's names; unfold one for what it "
        "means. The rest of their time they issue.</p>\n",
        to);
}

static void what_ifs(FILE *to, const struct kernel_report *kernel) {
    bool any = false;
    for (uint32_t i = 0; i < kernel->what_ifs.count; i++) {
        const struct kernel_what_if *item = &kernel->what_ifs.items[i];
        char name[48], title[96], words[48];
        if (!kernel_what_if_counts(kernel, item))
            continue;
        if (!any)
            fputs("<h4>What if one limit were lifted</h4>\n", to);
        any = true;
        int length = snprintf(name, sizeof name, "%s", gpu_lift_name(item->lift));
        if (item->line > 0)
            snprintf(name + length, sizeof name - (size_t)length, ", line %u", item->line);
        kernel_what_if_words(item, title, sizeof title);
        snprintf(words, sizeof words, "at most %.2f times as fast", item->factor);
        html_bar(to, name, title, 1 - 1 / item->factor, words, "other");
    }
    if (any)
        fputs(
            "<p class=\"note\">The time model again, without this one limit. Each bar: the share of the time that "
            "would go; unfold one for what it means. They do not add up.</p>\n",
            to);
}

static void memory(FILE *to, const struct kernel_report *kernel, const struct gpu_model *model) {
    static const struct table_column columns[] = {{MEMORY_CELL_NAME, "memory", 0, 0},
                                                  {MEMORY_CELL_REQUESTS, "requests", 0, 0},
                                                  {MEMORY_CELL_TRANSACTIONS, "passes, sectors", 0, 0},
                                                  {MEMORY_CELL_BYTES, "bytes moved", 0, 0},
                                                  {MEMORY_CELL_RATE, "GB/s", 0, 0},
                                                  {MEMORY_CELL_PEAK, "at most", 0, 0},
                                                  {MEMORY_CELL_SHARE, "share", 0, 0},
                                                  {MEMORY_CELL_HITS, "found there", 0, 0}};
    const struct table table = {{to, false, 0}, true, columns, sizeof columns / sizeof *columns};
    if (!memory_table(&table, kernel, model, "<h4>Memory</h4>\n"))
        return;
    table_end(&table);
    fputs(
        "<p class=\"note\">Bytes moved: 32 for each sector, 128 for each pass of shared memory, whether or not they were "
        "wanted. Rates are over the whole time of the kernel.</p>\n",
        to);
    html_terms(to, "request sector wavefront bank hit local");
}

static void instructions(FILE *to, const struct kernel_report *kernel) {
    struct mix mix;
    if (!instruction_mix(kernel, &mix))
        return;
    fputs("<h4>Instructions</h4>\n", to);
    for (uint32_t i = 0; i < mix.count; i++) {
        char share[FORMAT_SIZE], count[FORMAT_SIZE], words[3 * FORMAT_SIZE];
        snprintf(words, sizeof words, "%s, %s", format_share(share, mix.classes[i].share),
                 format_grouped(count, mix.classes[i].instructions));
        html_bar(to, mix.classes[i].name, mix.classes[i].meaning, mix.classes[i].share, words, "other");
    }
    char count[FORMAT_SIZE];
    fprintf(to, "<p class=\"note\">Instructions of warps, %s in all.</p>\n",
            format_grouped(count, kernel->counters.warp_instructions));
}

void html_kernel(FILE *to, const struct kernel_report *kernel, const struct gpu_model *model) {
    char time[FORMAT_SIZE], achieved[FORMAT_SIZE], theoretical[FORMAT_SIZE], shared[FORMAT_SIZE],
        waves[24] = "-", timed[KERNEL_TIMED_WHY + 64];
    if (isfinite(kernel->waves))
        snprintf(waves, sizeof waves, "%.1f", kernel->waves);
    fputs("<h3><code>", to);
    html_escape(to, kernel->name);
    fprintf(
        to,
        "</code> %s</h3>\n"
        "<p class=\"sub\">grid %u&times;%u&times;%u, block %u&times;%u&times;%u, %u registers, %s B shared; "
        "occupancy ",
        format_banded_time(time, kernel->time_us, kernel_band(kernel)), kernel->grid[0], kernel->grid[1],
        kernel->grid[2], kernel->block[0], kernel->block[1], kernel->block[2], kernel->registers,
        format_grouped(shared, kernel->shared_bytes));
    html_escape(to, format_share(achieved, kernel->occupancy_achieved));
    fputs(" of at most ", to);
    html_escape(to, format_share(theoretical, kernel->occupancy_theoretical));
    fprintf(to, "; %s waves of blocks", waves);
    if (kernel->spill_known && kernel->spill_bytes > 0)
        fprintf(to, "; spills %u bytes per thread", kernel->spill_bytes);
    if (kernel->code_known)
        fprintf(to, "; %u bytes of machine code, the busiest part %u", kernel->code_bytes,
                kernel->hot_code_bytes);
    kernel_timed_words(kernel, timed, sizeof timed);
    if (timed[0] != '\0') {
        fputs("; ", to);
        html_escape(to, timed);
    }
    if (kernel_launches(kernel) > 1)
        fprintf(to, "; sums of %" PRIu64 " launches%s", kernel_launches(kernel),
                kernel->other_shapes ? ", the shape is the longest's" : "");
    fputs("</p>\n", to);
    html_terms(to, "warp occupancy block_wave tail");
    findings_html(to, kernel->findings, FINDINGS_MAX, html_place);
    units(to, kernel);
    waits(to, kernel);
    what_ifs(to, kernel);
    memory(to, kernel, model);
    html_occupancy(to, kernel, model);
    instructions(to, kernel);
}
