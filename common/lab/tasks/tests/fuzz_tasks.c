/* fuzz_tasks.c: any bytes as a lab's tasks.ini, and as a learner's record of it. */
#include "lab/tasks/record.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct tasks tasks;
    static struct record record;
    char error[512] = "";
    bool right = tasks_parse((const char *)data, size, "fuzz.ini", &tasks, error, sizeof error);
    if (right != (*error == '\0') || strchr(error, '\n') != NULL)
        abort(); /* refused without saying why, or not in one line */
    if (right) {
        char *text = strndup((const char *)data, size);
        if (tasks.count == 0 || text == NULL)
            abort();
        for (unsigned i = 0; i < tasks.count; i++)
            tasks_explain(&tasks, i, text);
        free(text);
    }
    record_parse((const char *)data, size, "fuzz.ini", &tasks, &record, error, sizeof error);
    tasks_free(&tasks);
    return 0;
}
