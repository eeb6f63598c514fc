/* class_head.c: the head of class.html: the labs by their rules, when and by which kit they were
 * graded, and the policy. */
#include "class/export/page.h"

#include "class/export/platform.h"
#include "report/writers/html_escape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

enum { LABS = 32, POLICY_MOST = 1 << 20 };

/* The versions of the kit whose results count in a lab, "a, b"; "": none does yet. */
static bool kits_of(struct gradebook *book, const char *lab, char kits[128]) {
    sqlite3_stmt *row = gradebook_prepare(
        book, "SELECT DISTINCT kit FROM jobs WHERE lab = ? AND wanted ORDER BY kit", "s", lab);
    kits[0] = '\0';
    while (row != NULL && sqlite3_step(row) == SQLITE_ROW)
        text_append(kits, 128, "%s", gradebook_text(row, 0));
    sqlite3_finalize(row);
    return row != NULL;
}

static bool take_grade(void *context, const struct grade *grade) {
    *(struct grade *)context = *grade;
    return true;
}

/* In the zone of the gradebook, as deadlines are written. */
static const char *local_time(char text[TEXT_TIME], int64_t seconds) {
    time_t time = (time_t)seconds;
    struct tm tm;
    if (localtime_r(&time, &tm) == NULL || strftime(text, TEXT_TIME, "%Y-%m-%d %H:%M %Z", &tm) == 0)
        text_format_time(text, seconds);
    return text;
}

static void write_cell(FILE *to, const char *text) {
    fputs("<td class=\"text\">", to);
    html_escape(to, text);
    fputs("</td>", to);
}

static bool write_lab(const struct export_context *context, const char *id, FILE *to) {
    struct gradebook *book = context->book;
    struct policy_rules rules;
    struct lab lab;
    char error[256], text[128], kits[128], time[TEXT_TIME];
    struct grade *any = calloc(1, sizeof *any);
    bool right =
        any != NULL && gradebook_each_grade_of(book, NULL, id, take_grade, any) && kits_of(book, id, kits);
    if (right) {
        policy_rules(context->policy, id, &rules);
        bool known = policy_lab(context->root, id, &lab, error, sizeof error);
        double pass = isfinite(rules.pass) ? rules.pass
                      : known              ? lab.pass * any->max / policy_goal_points(context->policy, &lab)
                                           : NAN;
        fprintf(to, "<tr><td><a href=\"#%s\">%s</a></td>", id, id);
        write_cell(to, known ? lab.title : "");
        fprintf(to, "<td class=\"text when\">%s</td>",
                rules.deadline != 0 ? local_time(time, rules.deadline) : "none");
        fprintf(to, "<td>%s</td>", score_points_text(text, any->max));
        fprintf(to, "<td>%s</td>", isfinite(pass) ? score_points_text(text, pass) : "");
        fprintf(to, "<td>%s</td>", score_points_text(text, rules.weight));
        bool sim = rules.devices & POLICY_SIM, cuda = rules.devices & POLICY_CUDA;
        snprintf(text, sizeof text, "%s%s%s%s%s%s", sim ? "simulated " : "", sim ? rules.gpu : "",
                 sim && cuda ? ", " : "", cuda ? "this machine's GPU" : "", rules.size[0] != '\0' ? ", " : "",
                 rules.size);
        write_cell(to, text);
        write_cell(to, kits);
        fputs("</tr>\n", to);
    }
    free(any);
    return right;
}

/* SOURCE_DATE_EPOCH (reproducible-builds.org) is taken for now. */
static const char *now(char text[TEXT_TIME]) {
    const char *given = getenv("SOURCE_DATE_EPOCH");
    return local_time(text, given != NULL ? strtoll(given, NULL, 10) : (int64_t)time(NULL));
}

/* As it was given, without the key. */
static bool write_policy(struct gradebook *book, FILE *to) {
    char *text = malloc(POLICY_MOST);
    bool right = text != NULL && gradebook_get(book, "policy", text, POLICY_MOST);
    if (right && text[0] == '\0')
        fputs("<p class=\"note\">No policy was given: the labs' own rules.</p>\n", to);
    if (right && text[0] != '\0') {
        fputs("<details><summary>The policy</summary><pre>", to);
        for (char *line = strtok(text, "\r\n"); line != NULL; line = strtok(NULL, "\r\n")) {
            const char *word = line + strspn(line, " \t");
            size_t length = strcspn(word, " \t=");
            bool secret = length == 3 && strncasecmp(word, "key", 3) == 0;
            html_escape(to, secret ? "key = (not shown)" : line);
            fputc('\n', to);
        }
        fputs("</pre></details>\n", to);
    }
    free(text);
    return right;
}

bool class_head(const struct export_context *context, unsigned students, FILE *to) {
    char labs[LABS][16], title[32 + LABS * 18], time[TEXT_TIME];
    int count = platform_labs(context->book, labs, LABS);
    size_t used = 0;
    title[0] = '\0';
    for (int i = 0; i < count; i++)
        used += (size_t)snprintf(title + used, sizeof title - used, "%s%s", i > 0 ? ", " : "", labs[i]);
    snprintf(title + used, sizeof title - used, "%s%u student%s", count > 0 ? ", " : "", students,
             students == 1 ? "" : "s");
    page_begin(to, "Class", title);
    fprintf(
        to,
        "<p class=\"note\">As of %s</p>\n" PAGE_TABLE(
            "labs") "><tr><th>lab</th><th class=\"text\">title</th>"
                    "<th class=\"text\">deadline</th><th>points</th><th>to pass</th><th>weight</th><th class=\"text\">judged "
                    "on</th><th class=\"text\">by kit</th></tr>\n",
        now(time));
    bool right = count >= 0;
    for (int i = 0; right && i < count; i++)
        right = write_lab(context, labs[i], to);
    fputs("</table></div>\n", to);
    return right && write_policy(context->book, to);
}
