/* class_page.c: class.html, for the staff: rules, students, and for each lab how the class did:
 * common faults, scores, each goal, and who needs a human. */
#include "class/export/export.h"

#include "class/export/page.h"
#include "class/humans.h"
#include "report/writers/html_escape.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE_LABS = 32, PAGE_GOALS = 16, GOALS_DRAWN = 5, BINS = 10 };

struct goal_summary {
    char name[64];
    unsigned bins[BINS], count; /* by the share of the goal's points */
    unsigned full, none;
    double max, sum;
};

struct lab_summary {
    char lab[16];
    unsigned students, handed_in, judged, passed, waiting, graded;
    unsigned bins[BINS]; /* by the share of the full score */
    double sum, max;
    unsigned goal_count;
    struct goal_summary goals[PAGE_GOALS];
};

struct summary {
    const struct export_context *context;
    struct lab_summary *labs;
    unsigned lab_count;
    FILE *to;
    char student[GRADE_NAME]; /* the last one's grades come in a row */
    unsigned students;
    const char *lab; /* whose list of those who need a human is written */
    unsigned humans;
};

static unsigned bin_of(double share) {
    return !(share > 0) ? 0 : share >= 1 ? BINS - 1 : (unsigned)(share * BINS);
}

static struct lab_summary *lab_of(struct summary *summary, const char *lab) {
    for (unsigned i = 0; i < summary->lab_count; i++)
        if (strcmp(summary->labs[i].lab, lab) == 0)
            return &summary->labs[i];
    if (summary->lab_count == PAGE_LABS)
        return NULL;
    struct lab_summary *added = &summary->labs[summary->lab_count++];
    snprintf(added->lab, sizeof added->lab, "%s", lab);
    return added;
}

static void add_goal(struct lab_summary *lab, const struct report_goal *goal) {
    struct goal_summary *found = NULL;
    char name[sizeof found->name], called[TABLE_CELL];
    feedback_goal_name(goal, called);
    text_clean(name, sizeof name, called);
    for (unsigned i = 0; i < lab->goal_count && found == NULL; i++)
        if (strcmp(lab->goals[i].name, name) == 0)
            found = &lab->goals[i];
    if (found == NULL && lab->goal_count == PAGE_GOALS)
        return;
    if (found == NULL) {
        found = &lab->goals[lab->goal_count++];
        memcpy(found->name, name, sizeof name);
        found->max = goal->max;
    }
    found->bins[bin_of(goal->max > 0 ? goal->points / goal->max : 0)]++;
    found->count++;
    found->full += goal->points >= goal->max;
    found->none += !(goal->points > 0);
    found->sum += goal->points;
}

static void add_result(struct summary *summary, struct lab_summary *lab, const struct grade *grade) {
    struct score_result results[2];
    struct report_goal goals[PAGE_GOALS];
    unsigned count = score_results_of(summary->context->book, grade, results);
    for (unsigned i = 0; i < count; i++) {
        const struct report *report = &results[i].report;
        if (i == 0 && results[i].has_report && strcmp(results[i].outcome, "judged") == 0) {
            unsigned found = feedback_goals(summary->context->policy, grade, report, goals, PAGE_GOALS);
            for (unsigned g = 0; g < found; g++)
                add_goal(lab, &goals[g]);
        }
        score_result_free(&results[i]);
    }
}

static bool add_grade(void *data, const struct grade *grade) {
    struct summary *summary = data;
    struct lab_summary *lab = lab_of(summary, grade->lab);
    if (strcmp(summary->student, grade->student) != 0)
        summary->students++;
    snprintf(summary->student, sizeof summary->student, "%s", grade->student);
    if (lab == NULL)
        return true;
    lab->students++;
    if (grade->excused)
        return true;
    lab->handed_in += grade->sha256[0] != '\0';
    lab->judged += strcmp(grade->outcome, "judged") == 0;
    lab->waiting += strcmp(grade->outcome, "waiting") == 0;
    lab->passed += grade->passed;
    lab->max = grade->max;
    if (export_has_points(grade) && (grade->sha256[0] != '\0' || grade->points > 0)) {
        lab->graded++;
        lab->sum += grade->points;
        lab->bins[bin_of(grade->max > 0 ? grade->points / grade->max : 0)]++;
    }
    if (grade->sha256[0] != '\0')
        add_result(summary, lab, grade);
    return true;
}

static void write_bins(FILE *to, const unsigned bins[BINS], double max) {
    unsigned most = 1;
    for (int i = 0; i < BINS; i++)
        most = bins[i] > most ? bins[i] : most;
    fputs(PAGE_TABLE("points") "><tr><th>points</th><th>students</th><th class=\"text\">as a bar</th></tr>\n",
          to);
    for (int i = 0; i < BINS; i++) {
        char low[32], high[32];
        fprintf(to,
                "<tr><td>%s to %s</td><td>%u</td>"
                "<td class=\"text\"><span class=\"bar\" style=\"width:%urem\"></span></td></tr>\n",
                score_points_text(low, max * i / BINS), score_points_text(high, max * (i + 1) / BINS),
                bins[i], bins[i] * 20 / most);
    }
    fputs("</table></div>\n", to);
}

/* Many small goals, the tasks of lab 0, a row each. */
static void write_goals(FILE *to, const struct lab_summary *lab) {
    fputs("<div class=\"wide\"><table><tr><th>goal</th><th>all points</th><th>no points</th></tr>\n", to);
    for (unsigned i = 0; i < lab->goal_count; i++) {
        const struct goal_summary *goal = &lab->goals[i];
        fputs("<tr><td>", to);
        html_escape(to, goal->name);
        fprintf(to, "</td><td>%u of %u</td><td>%u</td></tr>\n", goal->full, goal->count, goal->none);
    }
    fputs("</table></div>\n", to);
}

static bool write_human(void *data, const struct grade *grade) {
    struct summary *summary = data;
    char points[32], file[TEXT_FILE_NAME];
    if (strcmp(grade->lab, summary->lab) != 0 || grade->human[0] == '\0')
        return true;
    if (summary->humans++ == 0)
        fputs(PAGE_TABLE(
                  "points by a human") "><tr><th>student</th><th>points</th><th class=\"text\">why</th>"
                                       "<th class=\"text\">flags</th><th class=\"text\">message</th></tr>\n",
              summary->to);
    text_file_name(file, grade->student);
    fprintf(summary->to, "<tr><td><a href=\"feedback/%s/%s.html\">", grade->lab, file);
    html_escape(summary->to, grade->student);
    fputs("</a> ", summary->to);
    html_escape(summary->to, grade->name);
    fprintf(summary->to, "</td><td>%s</td><td class=\"text\">", score_points_text(points, grade->points));
    class_human(summary->to, grade->human);
    const char *const texts[] = {grade->flags, grade->message};
    for (int i = 0; i < 2; i++) {
        fputs("</td><td class=\"text\">", summary->to);
        html_escape(summary->to, texts[i]);
    }
    fputs("</td></tr>\n", summary->to);
    return true;
}

static bool write_lab(struct summary *summary, const struct lab_summary *lab) {
    FILE *to = summary->to;
    char points[32];
    fprintf(to,
            "<h2 id=\"%s\">%s</h2>\n<p>%u students, %u handed in a kernel, %u were judged right, %u passed",
            lab->lab, lab->lab, lab->students, lab->handed_in, lab->judged, lab->passed);
    if (lab->waiting > 0)
        fprintf(to, ", %u are not judged yet", lab->waiting);
    fprintf(to, ". Mean %s of ", score_points_text(points, lab->graded > 0 ? lab->sum / lab->graded : 0));
    fprintf(to, "%s points, of the %u with a kernel and a grade.</p>\n", score_points_text(points, lab->max),
            lab->graded);
    if (!class_faults(summary->context, lab->lab, to))
        return false;
    fputs("<h3>Scores</h3>\n", to);
    write_bins(to, lab->bins, lab->max);
    if (lab->goal_count > GOALS_DRAWN)
        write_goals(to, lab);
    for (unsigned i = 0; i < lab->goal_count && lab->goal_count <= GOALS_DRAWN; i++) {
        fputs("<h3>Goal: ", to);
        html_escape(to, lab->goals[i].name);
        fprintf(to, "</h3>\n<p class=\"note\">mean %s of ",
                score_points_text(points, lab->goals[i].sum / lab->goals[i].count));
        fprintf(to, "%s points</p>\n", score_points_text(points, lab->goals[i].max));
        write_bins(to, lab->goals[i].bins, lab->goals[i].max);
    }
    fputs("<h3>These need a human</h3>\n", to);
    summary->lab = lab->lab;
    summary->humans = 0;
    if (!gradebook_each_grade(summary->context->book, write_human, summary))
        return false;
    fputs(summary->humans > 0 ? "</table></div>\n" : "<p>None.</p>\n", to);
    return true;
}

/* What the last download had for no student, or for two: the plan's lines. */
static bool write_strays(struct gradebook *book, FILE *to) {
    enum { STRAYS = 1 << 18 };
    char *lines = malloc(STRAYS);
    bool right = lines != NULL && gradebook_get(book, "strays", lines, STRAYS);
    if (right && lines[0] != '\0') {
        fputs("<h2>In the last download, for a human to look at</h2>\n<ul>\n", to);
        for (char *line = strtok(lines, "\n"); line != NULL; line = strtok(NULL, "\n")) {
            fputs("<li>", to);
            html_escape(to, line);
            fputs("</li>\n", to);
        }
        fputs("</ul>\n", to);
    }
    free(lines);
    return right;
}

/* What is so of a whole lab, and what the platforms' files lack. */
static bool write_warnings(const struct summary *summary) {
    struct gradebook *book = summary->context->book;
    char said[HUMANS_SAID], notes[8192];
    for (unsigned i = 0; i < summary->lab_count; i++) {
        if (!humans_of_lab(book, summary->labs[i].lab, said))
            return false;
        if (said[0] == '\0')
            continue;
        fputs("<p class=\"warn\">", summary->to);
        html_escape(summary->to, said);
        fputs("</p>\n", summary->to);
    }
    if (!gradebook_get(book, "export notes", notes, sizeof notes))
        return false;
    for (char *line = strtok(notes, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        fputs("<p class=\"warn\">", summary->to);
        html_escape(summary->to, line);
        fputs("</p>\n", summary->to);
    }
    return true;
}

bool class_page(const struct export_context *context, FILE *to) {
    struct summary summary = {.context = context, .to = to, .labs = calloc(PAGE_LABS, sizeof *summary.labs)};
    bool right = summary.labs != NULL;
    if (!right)
        snprintf(context->book->error, sizeof context->book->error, "out of memory");
    right = right && gradebook_each_grade(context->book, add_grade, &summary);
    right = right && class_head(context, summary.students, to) && write_warnings(&summary) &&
            class_students(context, to);
    for (unsigned i = 0; right && i < summary.lab_count; i++)
        right = write_lab(&summary, &summary.labs[i]);
    right = right && write_strays(context->book, to);
    if (right)
        page_end(to);
    free(summary.labs);
    return right;
}
