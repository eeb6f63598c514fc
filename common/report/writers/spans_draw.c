/* spans_draw.c: draws a timeline on a terminal and as SVG. */
#include "report/document/spans.h"

#include "report/writers/format.h"
#include "report/writers/html_escape.h"

#include <math.h>
#include <string.h>

static const char *const lane_names[SPAN_LANES] = {"host", "to the GPU", "kernels", "to the host", "graphs"};

/* ---- the terminal */

/* Share of a slice of time in which a lane works, and in which it waits, 0..1. */
static void slice_of(const struct spans *spans, enum span_lane lane, double from, double to, double *works,
                     double *waits) {
    double until[2] = {from, from}, sum[2] = {0};
    for (uint32_t i = 0; i < spans->count && spans->list[i].begin_us < to; i++) {
        const struct span *span = &spans->list[i];
        double end = fmin(span->begin_us + span->time_us, to), *reached = &until[span->waits];
        if (span->lane != lane || end <= *reached)
            continue;
        sum[span->waits] += end - fmax(span->begin_us, *reached);
        *reached = end;
    }
    *works = sum[0] / (to - from);
    *waits = sum[1] / (to - from);
}

/* Whether the lane may work in a slice that only a graph covers. */
static bool in_graph(const struct spans *spans, enum span_lane lane, double from, double to) {
    double works, waits;
    slice_of(spans, SPAN_GRAPHS, from, to, &works, &waits);
    return lane != SPAN_HOST && lane != SPAN_GRAPHS && works > 0.02;
}

/* Whether a slice has a piece of work that nothing orders with another. */
static bool is_unordered(const struct spans *spans, enum span_lane lane, double from, double to) {
    for (uint32_t i = 0; i < spans->count && spans->list[i].begin_us < to; i++)
        if (spans->list[i].unordered && spans->list[i].lane == lane &&
            spans->list[i].begin_us + spans->list[i].time_us > from)
            return true;
    return false;
}

static char sign_of(double works, double waits, bool unknown) {
    return works >= 0.5                     ? '#'
           : works > 0.02 && works >= waits ? '+'
           : waits > 0.02                   ? 'w'
           : unknown                        ? '?'
                                            : '.';
}

void spans_print(const struct terminal *t, const struct spans *spans) {
    enum { LEFT = 14 };
    char time[FORMAT_SIZE], share[FORMAT_SIZE], waited[FORMAT_SIZE];
    double from, to;
    uint32_t rounds;
    spans_middle(spans, &from, &to, &rounds);
    if (spans->count == 0 || !(to > from)) {
        fputs("\n  Nothing was asked of the GPU.\n", t->out);
        return;
    }
    int width = (int)terminal_width(t) - LEFT;
    bool any_marked = false;
    fprintf(t->out, "\n  %s of ", format_time(time, to - from));
    fprintf(t->out, "%s", format_time(time, spans->to_us - spans->from_us));
    if (rounds > 0)
        fprintf(t->out, ": rounds %u and %u of %u", rounds / 2 + 1, rounds / 2 + 2, rounds);
    fprintf(t->out, "; a sign is %s\n\n", format_time(time, (to - from) / width));
    for (int lane = 0; lane < SPAN_LANES; lane++) {
        if (!spans_has_row(spans, (enum span_lane)lane))
            continue;
        fprintf(t->out, "  %-*s", LEFT - 2, lane_names[lane]);
        for (int i = 0; i < width; i++) {
            double works, waits, begin = from + (to - from) * i / width,
                                 end = from + (to - from) * (i + 1) / width;
            enum span_lane row = (enum span_lane)lane;
            bool marked = is_unordered(spans, row, begin, end);
            any_marked = any_marked || marked;
            slice_of(spans, row, begin, end, &works, &waits);
            fputc(marked ? '!' : sign_of(works, waits, in_graph(spans, row, begin, end)), t->out);
        }
        fputc('\n', t->out);
    }
    bool graphs = spans_has_row(spans, SPAN_GRAPHS);
    terminal_print(t, STYLE_DIM,
                   "\n  # works   + for less than half of that time   w waits   . nothing%s%s\n",
                   graphs ? "   ? unknown" : "", any_marked ? "\n  ! nothing orders these two" : "");
    fputs("\n  Of the whole run:\n", t->out);
    for (int lane = 0; lane < SPAN_LANES; lane++) {
        if (!spans_has_row(spans, (enum span_lane)lane))
            continue;
        double waits = spans_share(spans, (enum span_lane)lane, SPAN_WAITS);
        fprintf(t->out, "  %-*s%6s", LEFT - 2, lane_names[lane],
                format_share(share, spans_share(spans, (enum span_lane)lane, SPAN_WORKS)));
        if (waits > 0)
            fprintf(t->out, "; waits for %s", format_share(waited, waits));
        if (lane == SPAN_KERNELS && spans_share(spans, SPAN_KERNELS, SPAN_FILLS) > 0)
            fprintf(t->out, "; of that, fills and copies in the device: %s",
                    format_share(waited, spans_share(spans, SPAN_KERNELS, SPAN_FILLS)));
        if (graphs && lane != SPAN_HOST && lane != SPAN_GRAPHS)
            fputs("; in graphs: not known", t->out);
        fputc('\n', t->out);
    }
}

/* ---- the picture */

enum { ROW = 34, PANEL = 4 * ROW + 44 }; /* of four rows */

/* Extra height of panels with a row for graphs. */
static double more_height(const struct spans *spans) {
    return spans_has_row(spans, SPAN_GRAPHS) ? ROW : 0;
}

static void svg_panel(FILE *to, const struct spans *spans, double top, double from, double until,
                      const char *words, const char *how) {
    enum { LEFT = 110, WIDTH = 1060, HEIGHT = 26 };
    char time[FORMAT_SIZE];
    double scale = WIDTH / (until - from);
    fprintf(to, "<text x=\"%d\" y=\"%.0f\">%s: %s, %s</text>\n", LEFT, top, words,
            format_time(time, until - from), how);
    for (int lane = 0; lane < SPAN_LANES; lane++) {
        double y = top + 14 + lane * ROW;
        if (!spans_has_row(spans, (enum span_lane)lane))
            continue;
        fprintf(to, "<text x=\"%d\" y=\"%.0f\" text-anchor=\"end\">%s</text>\n", LEFT - 10, y + 18,
                lane_names[lane]);
        fprintf(to, "<rect x=\"%d\" y=\"%.0f\" width=\"%d\" height=\"%d\" fill=\"#eeeeee\"/>\n", LEFT, y,
                WIDTH, HEIGHT);
    }
    for (uint32_t i = 0; i < spans->count; i++) {
        static const char *const colours[SPAN_LANES] = {"#e69f00", "#56b4e9", "#009e73", "#56b4e9",
                                                        "#cc79a7"};
        const struct span *span = &spans->list[i];
        double begin = fmax(span->begin_us, from), end = fmin(span->begin_us + span->time_us, until);
        if (end <= begin)
            continue;
        fprintf(to, "<rect x=\"%.2f\" y=\"%.0f\" width=\"%.2f\" height=\"%d\" fill=\"%s\"%s><title>",
                LEFT + (begin - from) * scale, top + 14 + span->lane * ROW, (end - begin) * scale, HEIGHT,
                span->waits ? "#999999" : colours[span->lane],
                span->unordered ? " stroke=\"#d00000\" stroke-width=\"4\"" : "");
        html_escape(to, span->name[0] != '\0' ? span->name : span->waits ? "waits" : lane_names[span->lane]);
        fprintf(to, ", %s</title></rect>\n", format_time(time, span->time_us));
    }
}

void spans_svg(FILE *to, const struct spans *spans, const char *title, const char *how) {
    double from, until, more = more_height(spans);
    char words[64];
    uint32_t rounds;
    spans_middle(spans, &from, &until, &rounds);
    fprintf(to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1200\" height=\"%.0f\" "
            "font-family=\"sans-serif\" font-size=\"14\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n<text x=\"110\" y=\"24\" "
            "font-size=\"16\">",
            (rounds > 0 ? 2 : 1) * (PANEL + more) + 90);
    html_escape(to, title);
    fputs("</text>\n", to);
    double top = 60;
    if (spans->count > 0 && rounds > 0) {
        snprintf(words, sizeof words, "Rounds %u and %u of %u", rounds / 2 + 1, rounds / 2 + 2, rounds);
        svg_panel(to, spans, top, from, until, words, how);
        top += PANEL + more;
    }
    if (spans->count > 0)
        svg_panel(to, spans, top, spans->from_us, spans->to_us, "The whole run", how);
    static const struct {
        const char *words, *colour;
    } key[] = {{"host works", "#e69f00"},
               {"host waits", "#999999"},
               {"copy", "#56b4e9"},
               {"kernel or fill", "#009e73"},
               {"all of a graph", "#cc79a7"}};
    for (int i = 0; i < (more > 0 ? 5 : 4); i++)
        fprintf(
            to,
            "<rect x=\"%d\" y=\"%.0f\" width=\"14\" height=\"14\" fill=\"%s\"/><text x=\"%d\" y=\"%.0f\">%s</text>\n",
            110 + i * 150, top + more + 165, key[i].colour, 130 + i * 150, top + more + 177, key[i].words);
    fputs("</svg>\n", to);
}
