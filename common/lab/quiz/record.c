/* record.c: reads and writes the learner's answers as a data file. */
#include "lab/quiz/record.h"

#include "base/file.h"
#include "base/ini.h"

#include <string.h>
#include <unistd.h>

enum { RECORD_MOST = 64 << 10, ROUNDS_MOST = 1000000 };
#define RECORD_FILE ".quiz.ini"

static bool take(struct ini *ini, const char *value, unsigned low, unsigned high, unsigned *to) {
    uint64_t number;
    if (!ini_count(ini, value, low, high, &number))
        return false;
    *to = (unsigned)number;
    return true;
}

static bool key(struct ini *ini, const char *name, const char *value) {
    struct quiz_record *record = ini->context;
    if (strcmp(name, "key") == 0)
        return draw_key_parse(&record->key, value) || ini_refuse(ini, "key is 64 hexadecimal digits");
    if (strcmp(name, "round") == 0)
        return take(ini, value, 1, ROUNDS_MOST, &record->round);
    if (strcmp(name, "best") == 0)
        return take(ini, value, 0, QUIZ_MOST, &record->best);
    if (strcmp(name, "of") == 0)
        return take(ini, value, 1, QUIZ_MOST, &record->of);
    if (strcmp(name, "answers") != 0)
        return ini_refuse(ini, "unknown key '%s'", name);
    return strspn(value, "+-.") == strlen(value)
               ? ini_text(ini, value, record->answers, sizeof record->answers)
               : ini_refuse(ini, "answers are + (right), - (wrong) and . (not asked yet)");
}

static void fresh_answers(struct quiz_record *record, unsigned questions) {
    memset(record->answers, 0, sizeof record->answers);
    memset(record->answers, '.', questions);
}

bool quiz_record_load(const char *folder, unsigned questions, struct quiz_record *record, char *error,
                      size_t size) {
    char path[PATH_SIZE];
    *record = (struct quiz_record){.round = 1};
    fresh_answers(record, questions);
    path_join(path, folder, RECORD_FILE);
    if (access(path, F_OK) != 0) {
        if (draw_key_new(&record->key))
            return true;
        return fails(error, size, "this system has no random numbers to give");
    }
    struct ini ini = {.file = path, .error = error, .error_size = size, .context = record, .key = key};
    bool right = ini_load(&ini, RECORD_MOST);
    if (right && strlen(record->answers) != questions) /* the quiz has changed */
        quiz_record_next(record, questions);
    return right;
}

bool quiz_record_save(const char *folder, const struct quiz_record *record, char *error, size_t size) {
    struct file_output output;
    char text[DRAW_KEY_TEXT];
    if (!file_begin(&output, folder, RECORD_FILE, error, size))
        return false;
    draw_key_print(&record->key, text);
    fprintf(
        output.file,
        "# Your answers to this lab's quiz, and what its numbers are drawn from. Delete it to begin anew.\n"
        "key = %s\nround = %u\nanswers = %s\n",
        text, record->round, record->answers);
    if (record->of != 0)
        fprintf(output.file, "best = %u\nof = %u\n", record->best, record->of);
    return file_end(&output, error, size);
}

unsigned quiz_record_right(const struct quiz_record *record) {
    unsigned right = 0;
    for (const char *c = record->answers; *c != '\0'; c++)
        right += *c == '+';
    return right;
}

void quiz_record_take(struct quiz_record *record, unsigned index, unsigned questions, bool right) {
    record->answers[index] = right ? '+' : '-';
    unsigned now = quiz_record_right(record);
    if (record->of != questions || now > record->best) {
        record->best = now;
        record->of = questions;
    }
}

void quiz_record_next(struct quiz_record *record, unsigned questions) {
    record->round = record->round < ROUNDS_MOST ? record->round + 1 : 1;
    fresh_answers(record, questions);
}
