/* fuzz_predict.c: any bytes as a lab's predict.ini, and the same bytes as what a learner foretells by it. */
#include "lab/learner/predict.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct predict_keys keys;
    struct report report;
    char error[SETTINGS_ERROR] = "", text[SETTINGS_PREDICT];
    if (!report_init(&report, "lab1", "fuzz") || report_add_run(&report, "yours") == NULL)
        abort();
    bool right = predict_parse((const char *)data, size, "fuzz.ini", &keys, error, sizeof error);
    if (right != (*error == '\0') || strchr(error, '\n') != NULL || keys.count > REPORT_PREDICTIONS)
        abort(); /* refused without saying why, or not in one line */
    for (unsigned i = 0; right && i < keys.count; i++) {
        snprintf(text, sizeof text, "%s=%s", keys.keys[i].name, predict_is_word(&keys.keys[i]) ? "l1" : "2");
        if (!predict_take(&keys, text, &report, error, sizeof error))
            abort(); /* a key that nobody can use */
        predict_judge(&keys, &report);
    }
    snprintf(text, sizeof text, "%.*s", (int)(size < sizeof text ? size : sizeof text - 1),
             (const char *)data);
    if (right && predict_take(&keys, text, &report, error, sizeof error))
        predict_judge(&keys, &report);
    report_free(&report);
    return 0;
}
