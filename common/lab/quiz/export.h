/* export.h: quizzes for a learning platform. A question that draws numbers is written as several
 * variants, of which the platform picks one. GIFT has a category for each question, QTI a group
 * that selects one. */
#pragma once

#include "lab/quiz/quiz.h"

#include <stdio.h>

enum { QUIZ_VARIANTS = 4 };

/* Quizzes of several labs, drawn under one key. */
struct quiz_export {
    const struct quiz *quizzes;
    unsigned count;
    const char *root;
    const struct gpu_model *model;
    struct draw_key key;
};

/* Variant v of a question, from 0. Variants differ in their text where the numbers allow that. A
 * question that draws nothing has one variant. */
unsigned quiz_variants(const struct quiz_question *question);
bool quiz_variant(const struct quiz_export *export, const struct quiz *quiz, unsigned question, unsigned v,
                  struct quiz_asked *asked, char *error, size_t size);

/* Writes Moodle's GIFT in UTF-8. False and one line: a question is wrong. */
bool quiz_export_gift(const struct quiz_export *export, FILE *out, char *error, size_t size);
/* Writes the first of the quizzes as an HTML page with a script and nothing fetched. False and one line: a
 * question is wrong. */
bool quiz_export_page(const struct quiz_export *export, FILE *out, char *error, size_t size);
/* Writes QTI 1.2 for Canvas as a zip at `path`: imsmanifest.xml and an assessment for each lab.
 * False and one line on failure. */
bool quiz_export_qti(const struct quiz_export *export, const char *path, char *error, size_t size);
/* Writes the assessment of one quiz, as the zip holds it. */
bool quiz_write_qti(const struct quiz_export *export, const struct quiz *quiz, FILE *out, char *error,
                    size_t size);
