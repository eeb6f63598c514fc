/* fuzz_tree.c: any bytes as an archive that was handed in. */
#include "class/intake/layout.h"
#include "class/intake/tree.h"
#include "class/text.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool visit(void *context, const struct tree_entry *entry) {
    struct layout_student student;
    char bytes[4096], file[TEXT_FILE_NAME];
    /* what others rely on: a clean, relative path on one line */
    size_t length = strlen(entry->path);
    if (length == 0 || entry->path[0] == '/' || entry->path[length - 1] == '/' ||
        strpbrk(entry->path, "\n\x1b") != NULL || strstr(entry->path, "//") != NULL ||
        strncmp(entry->path, "../", 3) == 0 || strstr(entry->path, "/../") != NULL ||
        !text_is_utf8((const uint8_t *)entry->path, length))
        abort();
    text_file_name(file, entry->path);
    if (strchr(file, '/') != NULL || file[0] == '.' || file[0] == '\0')
        abort();
    if (!layout_note(context, entry->path, entry->kind == TREE_FOLDER))
        abort();
    for (unsigned i = 0; layout_platform(i) != NULL; i++)
        layout_read(layout_platform(i), entry->path, entry->kind == TREE_FOLDER, "", &student);
    while (tree_read(entry, bytes, sizeof bytes) > 0)
        ;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const struct tree_limits limits = {.bytes = 1 << 20, .entries = 1000};
    struct layout_names names = {0};
    char error[256] = "", common[LAYOUT_NAME];
    bool wrapper;
    if (!tree_walk_memory(data, size, &limits, visit, &names, error, sizeof error) &&
        (*error == '\0' || strchr(error, '\n') != NULL))
        abort(); /* refused without saying why, in one line */
    bool archive = size % 2 == 0;
    error[0] = '\0';
    if (layout_detect(&names, "lab1-submissions", archive, &wrapper, common, error, sizeof error) == NULL &&
        (*error == '\0' || strchr(error, '\n') != NULL))
        abort();
    layout_free(&names);
    return 0;
}
