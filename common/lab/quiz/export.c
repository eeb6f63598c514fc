/* export.c: chooses the variants of a question for an export. */
#include "lab/quiz/export.h"

#include <stdlib.h>
#include <string.h>

/* Draws tried to find different variants. A question with few numbers has fewer. */
enum { DRAWS_MOST = 24 };

unsigned quiz_variants(const struct quiz_question *question) {
    return question->drawn ? QUIZ_VARIANTS : 1;
}

bool quiz_variant(const struct quiz_export *export, const struct quiz *quiz, unsigned question, unsigned v,
                  struct quiz_asked *asked, char *error, size_t size) {
    char(*seen)[QUIZ_TEXT] = malloc(QUIZ_VARIANTS * sizeof *seen);
    unsigned count = 0; /* distinct variants found */
    bool right = seen != NULL && v < QUIZ_VARIANTS;
    if (seen == NULL)
        snprintf(error, size, "out of memory");
    for (unsigned draw = 0; right && draw < DRAWS_MOST && count <= v; draw++) {
        struct draw_key key = draw_for(&export->key, "%s, variant %u", quiz->lab, draw);
        right = quiz_make(quiz, question, export->root, export->model, &key, asked, error, size);
        bool fresh = right;
        for (unsigned i = 0; i < count; i++)
            fresh = fresh && strcmp(seen[i], asked->text) != 0;
        if (fresh)
            snprintf(seen[count++], sizeof *seen, "%s", asked->text);
    }
    free(seen);
    return right;
}
