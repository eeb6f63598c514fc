/* record.h: what a learner answered, kept beside the lab's kernel: labs/labN-TOPIC/.quiz.ini. */
#ifndef QUIZ_RECORD_H
#define QUIZ_RECORD_H

#include "lab/quiz/quiz.h"

struct quiz_record {
    struct draw_key key;         /* the learner's own */
    unsigned round;              /* from 1: a new one has new numbers */
    char answers[QUIZ_MOST + 1]; /* of this round, a question each: '+' right, '-' wrong, '.' not asked yet */
    unsigned best, of; /* right answers of the best round so far, of how many questions; of 0: none yet */
};

/* What is kept in a lab's folder; where nothing is, a new key. questions: how many the quiz has.
 * False and one line when the file is damaged, or there is nothing random to make a key of. */
bool quiz_record_load(const char *folder, unsigned questions, struct quiz_record *record, char *error,
                      size_t size);
bool quiz_record_save(const char *folder, const struct quiz_record *record, char *error, size_t size);

/* Right answers of this round so far. */
unsigned quiz_record_right(const struct quiz_record *record);
/* An answer: it may make this round the best. questions: how many the quiz has. */
void quiz_record_take(struct quiz_record *record, unsigned index, unsigned questions, bool right);
/* Begin the next round. */
void quiz_record_next(struct quiz_record *record, unsigned questions);

#endif
