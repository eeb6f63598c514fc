/* export.c: which variants of a question an export has. */
#include "quiz/export.h"

unsigned quiz_variants(const struct quiz_question *question) {
    return question->drawn ? QUIZ_VARIANTS : 1;
}

bool quiz_variant(const struct quiz_export *export, const struct quiz *quiz, unsigned question, unsigned v,
                  struct quiz_asked *asked, char *error, size_t size) {
    struct draw_key key = draw_for(&export->key, "%s, variant %u", quiz->lab, v);
    return quiz_make(quiz, question, export->root, export->model, &key, asked, error, size);
}
