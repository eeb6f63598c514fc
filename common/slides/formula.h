/*
 * formula.h: what stands between {{ and }} in a slide: a place in a set, [set; row; column], or arithmetic with such places,
 * and how its value is written.
 *
 *     {{[lab1; 1a; time] %.1f}}                          one digit behind the point, thousands with commas
 *     {{[lab1; 0; sectors] / [lab1; 0; requests] %.2f}}  + - * / and parentheses
 *     {{[lecture; 5a; note]?}}                           a text; ?: a dash where there is no such row
 */
#ifndef SLIDES_FORMULA_H
#define SLIDES_FORMULA_H

#include "slides/data.h"
#include <stdio.h>

/* Write a formula's value. False and one line that says what is wrong; a division by zero is. */
bool formula_write(struct data *data, const char *formula, FILE *out, char *error, size_t size);

/* A line with every {{formula}} replaced. False as above. */
bool formula_fill(struct data *data, const char *line, FILE *out, char *error, size_t size);

#endif
