/* page.c: the style of the grader's pages. */
#include "class/export/page.h"

#include "report/writers/html_escape.h"

static const char style[] =
    "<style>\n"
    "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1d2430;background:#fff}\n"
    "h1{font-size:1.5rem}"
    "h2{font-size:1.15rem;margin-top:2rem;border-bottom:1px solid #d5dae2}"
    "h3{font-size:1rem}\n"
    "table{border-collapse:collapse;margin:.6rem 0}"
    "td,th{padding:.15rem .7rem;text-align:right;border-bottom:1px solid #e8ebf0;font-variant-numeric:tabular-nums}\n"
    "td:first-child,th:first-child,td.text,th.text{text-align:left}"
    "th{color:#5a6474;font-weight:600}\n"
    "pre{border:1px solid #d5dae2;padding:.5rem;white-space:pre-wrap;overflow-wrap:anywhere}"
    ".note{color:#5a6474}.bad{color:#b3261e}.good{color:#1b7a3d}.try{color:#1b5fa8}\n"
    ".wide{overflow-x:auto}img{max-width:100%;height:auto}\n"
    ".bar{display:inline-block;background:#5b8def;height:.8rem;vertical-align:middle}\n"
    "</style>\n";

void page_begin(FILE *to, const char *lab, const char *title) {
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width\">\n<title>",
          to);
    html_escape(to, lab);
    fputs(": ", to);
    html_escape(to, title);
    fprintf(to, "</title>\n%s</head>\n<body>\n<h1>", style);
    html_escape(to, lab);
    fputs(": ", to);
    html_escape(to, title);
    fputs("</h1>\n", to);
}

void page_end(FILE *to) {
    fputs("</body>\n</html>\n", to);
}
