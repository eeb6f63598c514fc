/* dialogue.h: a quiz asked in the terminal, one question at a time. */
#ifndef QUIZ_DIALOGUE_H
#define QUIZ_DIALOGUE_H

#include "lab/quiz/quiz.h"

#include <stdio.h>

enum quiz_reply { QUIZ_WRONG, QUIZ_RIGHT, QUIZ_UNCLEAR };

/* What a typed line is as an answer; QUIZ_UNCLEAR: none at all. A letter; a number ("6,272,000", its unit may follow);
 * a line's number, as shown. */
enum quiz_reply quiz_judge(const struct quiz_asked *asked, const char *line);

struct quiz_dialogue {
    const struct quiz *quiz;
    const char *root, *folder; /* folder: where the learner's answers are kept */
    const struct gpu_model *model;
    FILE *in, *out;
};

/* Ask what is left of the learner's round, or the next round where nothing is; answers are kept one by one.
 * "q" or the end of the input ends it. False and one line when something cannot be read or kept. */
bool quiz_dialogue(const struct quiz_dialogue *dialogue, char *error, size_t size);

#endif
