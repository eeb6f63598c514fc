/*
 * svg.h: a drawing, shape by shape, as SVG. Lengths are pixels of a slide of 1280x720, y grows downwards. No text is smaller
 * than 24 pixels. The colours are Okabe and Ito's, which colour-blind readers can tell apart.
 */
#ifndef SLIDES_SVG_H
#define SLIDES_SVG_H

#include <stdio.h>

#define SVG_BLACK "#000000"
#define SVG_GREY "#c8c8c8"
#define SVG_PALE "#f2f2f2"
#define SVG_WHITE "#ffffff"
#define SVG_ORANGE "#e69f00"
#define SVG_SKY "#56b4e9"
#define SVG_GREEN "#009e73"
#define SVG_YELLOW "#f0e442"
#define SVG_BLUE "#0072b2"
#define SVG_RED "#d55e00"
#define SVG_PURPLE "#cc79a7"

enum svg_anchor { SVG_LEFT, SVG_MIDDLE, SVG_RIGHT };

/* `what` is read to those who cannot see it. */
void svg_begin(FILE *out, double width, double height, const char *what);
void svg_end(FILE *out);
void svg_box(FILE *out, double x, double y, double width, double height, const char *fill, const char *edge);
void svg_line(FILE *out, double x1, double y1, double x2, double y2, const char *colour, double width);
void svg_dashes(FILE *out, double x1, double y1, double x2, double y2, const char *colour);
void svg_arrow(FILE *out, double x1, double y1, double x2, double y2, const char *colour);
void svg_dot(FILE *out, double x, double y, double radius, const char *fill);
/* 24 pixels high; y is the line it stands on. '<', '>' and '&' are written as they must be. */
void svg_text(FILE *out, double x, double y, enum svg_anchor anchor, const char *colour, const char *format,
              ...) __attribute__((format(printf, 6, 7)));

#endif
