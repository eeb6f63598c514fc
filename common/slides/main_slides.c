/* slides DECK.md FOLDER: writes FOLDER/DECK.html. */
#include "base/file.h"
#include "base/home.h"
#include "slides/page.h"
#include <stdio.h>

static bool build(const char *file, const char *folder, char *error, size_t size) {
    struct home home;
    struct file_output output;
    char name[80];
    if (!home_find(&home, error, size))
        return false;
    struct data *data = data_open(home.root, error, size);
    struct deck *deck = data != NULL ? deck_load(file, data, error, size) : NULL;
    bool right = false;
    if (deck != NULL) {
        snprintf(name, sizeof name, "%s.html", deck->name);
        right = file_begin(&output, folder, name, error, size);
        if (right && !page_write(output.file, deck, home.root, error, size)) {
            file_discard(&output);
            right = false;
        } else if (right)
            right = file_end(&output, error, size);
    }
    deck_free(deck);
    data_close(data);
    return right;
}

int main(int count, char **argument) {
    char error[1024];
    if (count != 3) {
        fprintf(stderr, "usage: %s slides/NAME.md FOLDER\n", argument[0]);
        return 2;
    }
    if (build(argument[1], argument[2], error, sizeof error))
        return 0;
    fprintf(stderr, "%s\n", error);
    return 1;
}
