/*
 * export.h: quizzes for a learning platform. A question that draws numbers is written as several
 * drawn variants, of which the platform is to give one: in GIFT a category each, in QTI a group
 * that selects one.
 */
#ifndef QUIZ_EXPORT_H
#define QUIZ_EXPORT_H

#include "lab/quiz/quiz.h"

#include <stdio.h>

enum { QUIZ_VARIANTS = 4 };

/* What is exported: quizzes of several labs, drawn under one key. */
struct quiz_export {
    const struct quiz *quizzes;
    unsigned count;
    const char *root;
    const struct gpu_model *model;
    struct draw_key key;
};

/* Variant v of a question, from 0: no two have the same text where its numbers allow that. A
 * question that draws nothing has one. */
unsigned quiz_variants(const struct quiz_question *question);
bool quiz_variant(const struct quiz_export *export, const struct quiz *quiz, unsigned question, unsigned v,
                  struct quiz_asked *asked, char *error, size_t size);

/* Moodle's GIFT, UTF-8. False and one line: a question is not as it should be. */
bool quiz_export_gift(const struct quiz_export *export, FILE *out, char *error, size_t size);
/* QTI 1.2 as a zip at `path`: imsmanifest.xml and an assessment of each lab, as Canvas imports
 * them. False and one line. */
bool quiz_export_qti(const struct quiz_export *export, const char *path, char *error, size_t size);
/* The assessment of one quiz alone, as it lies in the zip. */
bool quiz_write_qti(const struct quiz_export *export, const struct quiz *quiz, FILE *out, char *error,
                    size_t size);

#endif
