/* export_page.c: a quiz as a page that works from a file: each question with its variants, of which one is shown. */
#include "lab/quiz/export.h"
#include "report/writers/html_escape.h"

#include <stdlib.h>

static const char head[] =
    "<style>\n"
    "body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:1.5rem auto;padding:0 1rem;color:var(--ink);"
    "background:var(--paper);overflow-wrap:anywhere}a{color:var(--blue)}\n"
    "form{border-top:1px solid var(--line);padding:.5rem 0 1rem}fieldset{border:0;padding:0;margin:0}legend{padding:0}\n"
    "label{display:block;padding:.15rem 0}.code{font-family:ui-monospace,monospace;white-space:pre-wrap}\n"
    "button,input[type=text]{font:inherit}.right{color:var(--green)}.wrong{color:var(--red)}\n"
    "</style></head>\n<body>\n";

/* An answer is told in words and explained; every answer stays open to another try. */
static const char script[] =
    "<script>\n"
    "'use strict';\n"
    "const forms = [...document.forms], sum = document.getElementById('sum'), right = new Set();\n"
    "const show = (form, on) => { form.hidden = !on; };\n"
    "for (const form of forms) {\n"
    "  form.addEventListener('submit', event => {\n"
    "    event.preventDefault();\n"
    "    const said = form.querySelector('[role=status]'), given = new FormData(form).get('answer');\n"
    "    if (given === null || given === '') { said.textContent = 'No answer yet.'; return; }\n"
    "    const number = Number(given.replace(/,(?=\\d{3}\\b)/g, '').replace(',', '.')), data = form.dataset;\n"
    "    const good = data.low === undefined ? given === data.right : number >= data.low && number <= data.high;\n"
    "    said.textContent = good ? 'Right.' : 'Not right.';\n"
    "    said.className = good ? 'right' : 'wrong';\n"
    "    form.querySelector('.why').hidden = false;\n"
    "    good ? right.add(data.question) : right.delete(data.question);\n"
    "    sum.textContent = right.size + ' of ' + new Set(forms.map(f => f.dataset.question)).size + ' right';\n"
    "  });\n"
    "  const other = form.querySelector('.other');\n"
    "  if (other) other.addEventListener('click', () => {\n"
    "    const all = forms.filter(f => f.dataset.question === form.dataset.question);\n"
    "    const next = all[(all.indexOf(form) + 1) % all.length];\n"
    "    show(form, false); show(next, true); next.querySelector('input').focus();\n"
    "  });\n"
    "}\n"
    "</script>\n";

static void put_choice(FILE *out, unsigned value, const char *text, const char *kind) {
    fprintf(out, "<label%s><input type=\"radio\" name=\"answer\" value=\"%u\"> ", kind, value);
    html_escape(out, text);
    fputs("</label>\n", out);
}

static void put_question(FILE *out, const struct quiz_asked *asked, unsigned number, unsigned v,
                         unsigned variants) {
    const struct quiz_question *q = asked->question;
    fprintf(out, "<form data-question=\"%u\"%s ", number, v > 0 ? " hidden" : "");
    if (q->kind == QUIZ_NUMBER)
        fprintf(out, "data-low=\"%.10g\" data-high=\"%.10g\">\n<h2>", asked->low, asked->high);
    else
        fprintf(out, "data-right=\"%u\">\n<h2>", asked->right);
    html_escape(out, q->title);
    fputs("</h2>\n<fieldset><legend>", out);
    html_escape(out, asked->text);
    fputs("</legend>\n", out);
    for (unsigned i = 0; i < asked->choice_count; i++)
        put_choice(out, i, asked->choices[i], "");
    for (unsigned i = 0; i < asked->code_count; i++) {
        char line[QUIZ_LINE + 16];
        snprintf(line, sizeof line, "%3u  %s", asked->code_first + i, asked->code[i]);
        put_choice(out, i, line, " class=\"code\"");
    }
    if (q->kind == QUIZ_NUMBER) {
        fputs(
            "<label>A number <input type=\"text\" name=\"answer\" inputmode=\"decimal\" autocomplete=\"off\"> ",
            out);
        html_escape(out, q->unit);
        fputs("</label>\n", out);
    }
    fprintf(
        out,
        "</fieldset>\n<p><button>Answer</button>%s</p>\n<p role=\"status\"></p>\n<p class=\"why\" hidden>",
        variants > 1 ? " <button type=\"button\" class=\"other\">Other numbers</button>" : "");
    html_escape(out, asked->why);
    fputs("</p>\n</form>\n", out);
}

bool quiz_export_page(const struct quiz_export *export, FILE *out, char *error, size_t size) {
    struct quiz_asked *asked = malloc(sizeof *asked);
    bool right = asked != NULL || fails(error, size, "out of memory");
    fprintf(out,
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta name=\"viewport\" "
            "content=\"width=device-width\">\n<title>Quiz: %s</title>\n%s%s<h1>Quiz: %s</h1>\n<p><a "
            "href=\"index.html\">The course</a></p>\n<p id=\"sum\" role=\"status\"></p>\n",
            export->quizzes[0].lab, html_colours, head, export->quizzes[0].lab);
    for (unsigned i = 0; right && i < export->quizzes[0].count; i++) {
        unsigned variants = quiz_variants(&export->quizzes[0].questions[i]);
        for (unsigned v = 0; right && v < variants; v++) {
            right = quiz_variant(export, &export->quizzes[0], i, v, asked, error, size);
            if (right)
                put_question(out, asked, i, v, variants);
        }
    }
    fprintf(out, "%s</body></html>\n", script);
    free(asked);
    return right;
}
