/* svg.c: shapes as SVG, a line each: a blank line would end the HTML within Markdown. */
#include "slides/svg.h"

#include <math.h>
#include <stdarg.h>

void svg_begin(FILE *out, double width, double height, const char *what) {
    fprintf(out,
            "<div class=\"figure\"><svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
            "viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"%s\">\n",
            width, height, width, height, what);
}

void svg_end(FILE *out) {
    fputs("</svg></div>\n", out);
}

void svg_box(FILE *out, double x, double y, double width, double height, const char *fill, const char *edge) {
    fprintf(out,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\" stroke=\"%s\" "
            "stroke-width=\"1.5\"/>\n",
            x, y, width, height, fill, edge);
}

void svg_line(FILE *out, double x1, double y1, double x2, double y2, const char *colour, double width) {
    fprintf(out,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"%.1f\"/>\n",
            x1, y1, x2, y2, colour, width);
}

void svg_dashes(FILE *out, double x1, double y1, double x2, double y2, const char *colour) {
    fprintf(out,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"3\" "
            "stroke-dasharray=\"10 8\"/>\n",
            x1, y1, x2, y2, colour);
}

void svg_arrow(FILE *out, double x1, double y1, double x2, double y2, const char *colour) {
    const double head = 14;
    double length = hypot(x2 - x1, y2 - y1);
    if (length == 0)
        return;
    double dx = (x2 - x1) / length * head, dy = (y2 - y1) / length * head;
    svg_line(out, x1, y1, x2 - dx, y2 - dy, colour, 3);
    fprintf(out, "<polygon points=\"%.1f,%.1f %.1f,%.1f %.1f,%.1f\" fill=\"%s\"/>\n", x2, y2,
            x2 - dx - dy / 2, y2 - dy + dx / 2, x2 - dx + dy / 2, y2 - dy - dx / 2, colour);
}

void svg_dot(FILE *out, double x, double y, double radius, const char *fill) {
    fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\" stroke=\"#000000\"/>\n", x, y,
            radius, fill);
}

void svg_text(FILE *out, double x, double y, enum svg_anchor anchor, const char *colour, const char *format,
              ...) {
    static const char *const anchors[] = {"start", "middle", "end"};
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\" font-size=\"24\">", x, y,
            anchors[anchor], colour);
    for (const char *c = text; *c != '\0'; c++)
        if (*c == '<')
            fputs("&lt;", out);
        else if (*c == '>')
            fputs("&gt;", out);
        else if (*c == '&')
            fputs("&amp;", out);
        else
            fputc(*c, out);
    fputs("</text>\n", out);
}
