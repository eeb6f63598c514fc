/* record.h: a learner's answers, kept beside the lab's kernel: labs/labN-TOPIC/.quiz.ini. */
#pragma once

#include "lab/quiz/quiz.h"

struct quiz_record {
    struct draw_key key;         /* of this learner alone */
    unsigned round;              /* from 1; each round draws new numbers */
    char answers[QUIZ_MOST + 1]; /* this round's, one a question: '+' right, '-' wrong, '.' not asked yet */
    unsigned best, of;           /* right answers and questions of the best round so far; of is 0: none yet */
};

/* Reads the record in a lab's folder, or starts one with a new key. questions: the number of the
 * quiz's questions. False and one line: a damaged file, no random numbers. */
bool quiz_record_load(const char *folder, unsigned questions, struct quiz_record *record, char *error,
                      size_t size);
bool quiz_record_save(const char *folder, const struct quiz_record *record, char *error, size_t size);

/* Number of right answers in this round so far. */
unsigned quiz_record_right(const struct quiz_record *record);
/* Records an answer, which may make this round the best. questions: as above. */
void quiz_record_take(struct quiz_record *record, unsigned index, unsigned questions, bool right);
/* Begins the next round. */
void quiz_record_next(struct quiz_record *record, unsigned questions);
