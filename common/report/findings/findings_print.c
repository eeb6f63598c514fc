/* findings_print.c: prints findings on a terminal and on a page. */
#include "report/findings/findings.h"

#include "base/path.h"
#include "report/writers/html_escape.h"

#include <string.h>

/* "kernel.cu:25"; "": no particular line. */
static const char *place_of(const struct finding *finding, char *text, size_t size) {
    *text = '\0';
    if (finding->line != 0)
        snprintf(text, size, "%.60s:%u", finding->file != NULL ? path_name(finding->file) : "line",
                 finding->line);
    return text;
}

/* "about 45 % of the time"; "": next to none, or no estimate. */
static const char *gain_of(const struct finding *finding, char *text, size_t size) {
    *text = '\0';
    if (finding->gain >= 0.02)
        snprintf(text, size, "%s%.0f %% of the time", finding->tried ? "" : "about ", 100 * finding->gain);
    return text;
}

void findings_print(const struct terminal *t, const struct findings *findings, uint32_t most,
                    const char *lead) {
    for (uint32_t i = 0; findings != NULL && i < findings->count && i < most; i++) {
        const struct finding *item = &findings->items[i];
        enum terminal_style style = item->severity == FINDING_MAJOR   ? STYLE_BAD
                                    : item->severity == FINDING_MINOR ? STYLE_WARN
                                                                      : STYLE_DIM;
        char place[80], gain[48], text[sizeof item->what + sizeof place + sizeof gain + 8];
        place_of(item, place, sizeof place);
        gain_of(item, gain, sizeof gain);
        snprintf(text, sizeof text, "%s%s%s%s%s%s", place, *place != '\0' ? ": " : "", item->what,
                 *gain != '\0' ? " (" : "", gain, *gain != '\0' ? ")" : "");
        terminal_print(t, style, "%s", i == 0 ? lead : "  - ");
        terminal_wrap(t, style, 4, 4, text);
        if (*item->advice != '\0') {
            fputs("    try: ", t->out);
            terminal_wrap(t, STYLE_NORMAL, 9, 9, item->advice);
        }
    }
}

void findings_html(FILE *to, const struct findings *findings, uint32_t most,
                   void (*write_place)(FILE *to, const char *file, uint32_t line)) {
    fputs("<ol>\n", to);
    for (uint32_t i = 0; findings != NULL && i < findings->count && i < most; i++) {
        const struct finding *item = &findings->items[i];
        char place[80], gain[48];
        fputs("<li>", to);
        if (*place_of(item, place, sizeof place) != '\0') {
            bool linked = write_place != NULL && item->file != NULL;
            if (linked) {
                fputs("<a href=\"#", to);
                write_place(to, item->file, item->line);
                fputs("\">", to);
            }
            fputs("<b>", to);
            html_escape(to, place);
            fputs(linked ? "</b></a> " : "</b> ", to);
        }
        html_escape(to, item->what);
        if (*gain_of(item, gain, sizeof gain) != '\0')
            fprintf(to, " <span class=\"gain\">%s</span>", gain);
        if (*item->advice != '\0') {
            fputs(" <span class=\"try\">Try: ", to);
            html_escape(to, item->advice);
            fputs("</span>", to);
        }
        fputs("</li>\n", to);
    }
    fputs("</ol>\n", to);
}
