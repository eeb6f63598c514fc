/* class_students.c: the table of students in class.html: their points in each lab with links to feedback and kernel, their flags,
 * who needs a human. Sorted by a click on any heading, searched by a field; without scripts it is a table as before. */
#include "class/export/page.h"

#include "class/export/platform.h"
#include "report/writers/html_escape.h"

#include <math.h>
#include <string.h>

enum { LABS = 32 };

static const char style[] =
    "<style>\n"
    ".students td{vertical-align:top}.students th,.students td:not(.text),.when{white-space:nowrap}\n"
    ".students button{all:unset;cursor:pointer;font-weight:600}.students button:focus-visible{outline:2px solid var(--blue)}\n"
    "th[aria-sort=ascending] button::after{content:\" \\25b2\"}th[aria-sort=descending] button::after{content:\" \\25bc\"}\n"
    ".find{color:inherit;background:var(--paper);padding:.2rem .5rem;border:1px solid #767f8c;border-radius:4px;font:inherit}\n"
    ".warn{border-left:4px solid var(--red);padding:.3rem .8rem;background:var(--faint)}\n"
    "</style>\n";

/* A cell sorts by what stands in its data-sort, else by its text; numbers before words. */
static const char script[] =
    "<script>\n"
    "'use strict';\n"
    "const students = document.getElementById('students');\n"
    "const key = (row, column) => { const cell = row.cells[column];\n"
    "  return cell.dataset.sort !== undefined ? cell.dataset.sort : cell.textContent; };\n"
    "const order = (a, b) => a !== '' && b !== '' && !isNaN(a) && !isNaN(b) ? a - b : a.localeCompare(b);\n"
    "[...students.tHead.rows[0].cells].forEach((heading, column) => {\n"
    "  const button = document.createElement('button');\n"
    "  button.type = 'button';\n"
    "  button.textContent = heading.textContent;\n"
    "  heading.replaceChildren(button);\n"
    "  button.addEventListener('click', () => {\n"
    "    const number = heading.dataset.number !== undefined;\n"
    "    const up = heading.ariaSort ? heading.ariaSort !== 'ascending' : !number;\n"
    "    for (const other of students.tHead.rows[0].cells) other.removeAttribute('aria-sort');\n"
    "    heading.setAttribute('aria-sort', up ? 'ascending' : 'descending');\n"
    "    const body = students.tBodies[0];\n"
    "    body.append(...[...body.rows].sort((a, b) => (up ? 1 : -1) * order(key(a, column), key(b, column))));\n"
    "  });\n"
    "});\n"
    "const find = document.getElementById('find');\n"
    "find.closest('p').hidden = false;\n"
    "find.addEventListener('input', () => {\n"
    "  const wanted = find.value.toLowerCase();\n"
    "  for (const row of students.tBodies[0].rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);\n"
    "});\n"
    "</script>\n";

struct students {
    FILE *to;
    char labs[LABS][16];
    int lab_count, next; /* the lab whose cell is written next */
    char student[GRADE_NAME];
    const struct policy *policy;
    struct total total;
    bool any; /* of this student a row is open */
    char flags[GRADE_FLAGS * 2], human[GRADE_MESSAGE * 2];
};

static void write_text(FILE *to, const char *text) {
    fputs("<td class=\"text\">", to);
    html_escape(to, text);
    fputs("</td>", to);
}

void class_human(FILE *to, const char *text) {
    static const char folder[] = "alike/lab";
    char part[GRADE_MESSAGE * 2];
    for (const char *at; (at = strstr(text, folder)) != NULL;) {
        size_t length = sizeof folder - 1 + strspn(at + sizeof folder - 1, "0123456789");
        snprintf(part, sizeof part, "%.*s", (int)(at - text), text);
        html_escape(to, part);
        fprintf(to, "<a href=\"%.*s/index.html\">%.*s</a>", (int)length, at, (int)length, at);
        text = at + length;
    }
    html_escape(to, text);
}

static void skip_to(struct students *s, int lab) {
    for (; s->next < lab; s->next++)
        fputs("<td data-sort=\"-2\"></td>", s->to);
}

static void end_row(struct students *s) {
    char text[32];
    double percent = total_percent(&s->total);
    if (!s->any)
        return;
    skip_to(s, s->lab_count);
    if (s->lab_count > 1)
        fprintf(s->to, "<td>%s</td>", isfinite(percent) ? score_points_text(text, percent) : "");
    write_text(s->to, s->flags);
    fputs("<td class=\"text\">", s->to);
    class_human(s->to, s->human);
    fputs("</td></tr>\n", s->to);
    s->any = false;
}

static void begin_row(struct students *s, const struct grade *grade) {
    snprintf(s->student, sizeof s->student, "%s", grade->student);
    s->any = true;
    s->next = 0;
    s->total = (struct total){0};
    s->flags[0] = s->human[0] = '\0';
    fputs("<tr><td>", s->to);
    html_escape(s->to, grade->student);
    fputs("</td>", s->to);
    write_text(s->to, grade->name);
}

/* "lab1: words lab2: words"; of one lab without its name. */
static void join(const struct students *s, char *to, size_t size, const char *lab, const char *words) {
    size_t used = strlen(to);
    if (words[0] != '\0')
        snprintf(to + used, size - used, "%s%s%s%s", used > 0 ? " " : "", s->lab_count > 1 ? lab : "",
                 s->lab_count > 1 ? ": " : "", words);
}

static void write_points(struct students *s, const struct grade *grade) {
    char points[32], file[TEXT_FILE_NAME];
    bool has = export_has_points(grade), by_hand = grade->override[0] != '\0',
         nothing = strcmp(grade->outcome, "missing") == 0 && !(by_hand && grade->points > 0);
    text_file_name(file, grade->student);
    fprintf(s->to, "<td data-sort=\"%s\">",
            has && !nothing ? score_points_text(points, grade->points) : "-1");
    fprintf(s->to, "<a href=\"feedback/%s/%s.html\">%s</a>", grade->lab, file,
            grade->excused                           ? "excused"
            : nothing                                ? "nothing"
            : has                                    ? score_points_text(points, grade->points)
            : strcmp(grade->outcome, "waiting") == 0 ? "waits"
            : strcmp(grade->outcome, "trouble") == 0 ? "trouble"
                                                     : grade->outcome);
    if (grade->late_days > 0)
        fprintf(s->to, " <span class=\"note\">%u d late</span>", grade->late_days);
    if (by_hand) {
        fputs(" <span class=\"note\" title=\"", s->to);
        html_escape(s->to, grade->override);
        fputs("\">by hand</span>", s->to);
    }
    if (grade->sha256[0] != '\0')
        fprintf(s->to, " <a href=\"kernels/%s.cu\">kernel</a>", grade->sha256);
    fputs("</td>", s->to);
    total_add(&s->total, s->policy, grade);
}

static bool write_grade(void *data, const struct grade *grade) {
    struct students *s = data;
    int lab = 0;
    while (lab < s->lab_count && strcmp(s->labs[lab], grade->lab) != 0)
        lab++;
    if (lab == s->lab_count)
        return true;
    if (!s->any || strcmp(s->student, grade->student) != 0) {
        end_row(s);
        begin_row(s, grade);
    }
    skip_to(s, lab);
    write_points(s, grade);
    s->next++;
    join(s, s->flags, sizeof s->flags, grade->lab, grade->flags);
    join(s, s->human, sizeof s->human, grade->lab, grade->human);
    return true;
}

bool class_students(const struct export_context *context, FILE *to) {
    struct students s = {.to = to, .policy = context->policy};
    s.lab_count = platform_labs(context->book, s.labs, LABS);
    if (s.lab_count < 0)
        return false;
    fputs(style, to);
    fputs(
        "<h2>Students</h2>\n<p hidden><label>Find <input class=\"find\" id=\"find\" type=\"search\"></label></p>\n" PAGE_TABLE(
            "students") " class=\"students\" id=\"students\">\n<thead><tr><th>student</th><th class=\"text\">name</th>",
        to);
    for (int i = 0; i < s.lab_count; i++)
        fprintf(to, "<th data-number>%s</th>", s.labs[i]);
    fprintf(to,
            "%s<th class=\"text\">flags</th><th class=\"text\">needs a human</th></tr></thead>\n<tbody>\n",
            s.lab_count > 1 ? "<th data-number>total, %</th>" : "");
    bool right = gradebook_each_grade(context->book, write_grade, &s);
    end_row(&s);
    fputs("</tbody></table></div>\n", to);
    fputs(script, to);
    return right;
}
