/* lab predict labN: asks for a prediction, one question at a time, and keeps it for the run that follows. */
#include "base/ini.h"
#include "gpu/time/gpus.h"
#include "lab/commands/commands.h"
#include "lab/learner/predict.h"
#include "report/writers/terminal.h"

#include <string.h>

/* What was typed is not what was asked for. */
static void show_refusal(const struct terminal *t, const struct predict_key *key) {
    char text[512];
    int at;
    if (!predict_is_word(key)) {
        fputs("That is not a number.\n", t->out);
        return;
    }
    at = snprintf(text, sizeof text, "That is not the name of a limit. The names are");
    for (int unit = 0; unit < GPU_UNIT_COUNT && (size_t)at < sizeof text; unit++)
        at += snprintf(text + at, sizeof text - (size_t)at, "%s %s", unit > 0 ? "," : "",
                       gpu_unit_name((enum gpu_unit)unit));
    terminal_wrap(t, STYLE_NORMAL, 0, 0, text);
}

/* One answer, appended to text as KEY=VALUE. False: the input ended, or "q". */
static bool ask(const struct terminal *t, const struct predict_keys *keys, unsigned index, char *text,
                size_t size) {
    const struct predict_key *key = &keys->keys[index];
    char line[64], word[96], error[SETTINGS_ERROR];
    struct report trial = {0};
    for (;;) {
        fputc('\n', t->out);
        terminal_wrap(t, STYLE_NORMAL, 0, 0, key->question);
        if (predict_is_word(key))
            fputs("  a name (l1, l2, dram, issue, fma, alu, ...): ", t->out);
        else
            fprintf(t->out, "  %s%s: ", key->unit[0] != '\0' ? "in " : "a number", key->unit);
        fflush(t->out);
        if (fgets(line, sizeof line, stdin) == NULL || strcmp(ini_trim(line), "q") == 0)
            return false;
        snprintf(word, sizeof word, "%s=%s", key->name, ini_trim(line));
        if (strcspn(word, " \t") == strlen(word) && predict_take(keys, word, &trial, error, sizeof error)) {
            size_t length = strlen(text);
            snprintf(text + length, size - length, "%s%s", length > 0 ? " " : "", word);
            return true;
        }
        show_refusal(t, key);
    }
}

int command_predict(struct settings *s, const char *lab, int count, char **rest) {
    (void)count, (void)rest;
    char error[SETTINGS_ERROR], text[SETTINGS_PREDICT] = "";
    struct predict_keys keys;
    s->device = DEVICE_SIM; /* questions need none */
    if (!settings_resolve(s, lab, error, sizeof error) || !predict_load(s, &keys, error, sizeof error))
        return command_refuse(error);
    if (keys.count == 0) {
        snprintf(error, sizeof error, "%s asks for no prediction", lab);
        return command_refuse(error);
    }
    struct terminal terminal = terminal_open(stdout);
    printf("Predict your next run before you see it: %u question%s.\n"
           "q leaves out the rest and starts the run.\n",
           keys.count, keys.count == 1 ? "" : "s");
    for (unsigned i = 0; i < keys.count && ask(&terminal, &keys, i, text, sizeof text); i++)
        ;
    putchar('\n');
    if (text[0] == '\0' && feof(stdin)) {
        snprintf(error, sizeof error,
                 "nobody answers here: make %s PREDICT='%s=...' predicts without a keyboard", lab,
                 keys.keys[0].name);
        return command_refuse(error);
    }
    return text[0] == '\0' || predict_keep(s, text, error, sizeof error) ? 0 : command_refuse(error);
}
