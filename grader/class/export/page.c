/* page.c: the style of the grader's pages. */
#include "class/export/page.h"

#include "report/writers/html_escape.h"

static const char style[] =
    "<style>\n"
    "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:var(--ink);"
    "background:var(--paper);overflow-wrap:anywhere}\n"
    "h1{font-size:1.5rem}"
    "h2{font-size:1.15rem;margin-top:2rem;border-bottom:1px solid var(--line)}"
    "h3{font-size:1rem}\n"
    "table{border-collapse:collapse;margin:.6rem 0}"
    "td,th{padding:.15rem .7rem;text-align:right;border-bottom:1px solid var(--line);font-variant-numeric:tabular-nums}\n"
    "td:first-child,th:first-child,td.text,th.text{text-align:left}"
    "th{color:var(--dim);font-weight:600}\n"
    "pre{border:1px solid var(--line);padding:.5rem;white-space:pre-wrap;overflow-wrap:anywhere}"
    "a,.try{color:var(--blue)}.note{color:var(--dim)}.bad{color:var(--red)}.good{color:var(--green)}\n"
    ".wide{overflow-x:auto;overflow-wrap:normal}img{max-width:100%;height:auto}\n"
    ".bar{display:inline-block;background:var(--bar);height:.8rem;vertical-align:middle}\n"
    /* a narrow page: a row of feedback is a card */
    "@media(max-width:30rem){tr.head{display:none}tr.head~tr{display:block;padding:.3rem 0}"
    "tr.head~tr td{display:flex;justify-content:space-between;gap:1rem;border:0;padding:0}"
    "tr.head~tr td::before{content:attr(data-label);color:var(--dim);text-align:left}}\n"
    "</style>\n";

void page_begin(FILE *to, const char *lab, const char *title) {
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width\">\n<title>",
          to);
    html_escape(to, lab);
    fputs(": ", to);
    html_escape(to, title);
    fprintf(to, "</title>\n%s%s</head>\n<body>\n<h1>", html_colours, style);
    html_escape(to, lab);
    fputs(": ", to);
    html_escape(to, title);
    fputs("</h1>\n", to);
}

void page_end(FILE *to) {
    fputs("</body>\n</html>\n", to);
}
