/* lab predict labN: asks for a prediction, one question at a time, and keeps it for the run that follows. */
#include "analysis/terminal.h"
#include "base/ini.h"
#include "harness/commands.h"
#include "harness/predict.h"

#include <string.h>

/* One answer, appended to text as KEY=VALUE. False: the input ended, or "q". */
static bool ask(const struct terminal *t, const struct predict_keys *keys, unsigned index, char *text,
                size_t size) {
    const struct predict_key *key = &keys->keys[index];
    char line[64], word[96], error[SETTINGS_ERROR];
    struct report trial = {0};
    for (;;) {
        terminal_wrap(t, STYLE_NORMAL, 0, 0, key->question);
        fprintf(t->out, "%s%s%s, or q: ",
                predict_is_word(key) ? "a name (l1, l2, dram, issue, fma, alu, ...)" : "a number",
                key->unit[0] != '\0' ? ", " : "", key->unit);
        fflush(t->out);
        if (fgets(line, sizeof line, stdin) == NULL || strcmp(ini_trim(line), "q") == 0)
            return false;
        snprintf(word, sizeof word, "%s=%s", key->name, ini_trim(line));
        if (strcspn(word, " \t") == strlen(word) && predict_take(keys, word, &trial, error, sizeof error)) {
            size_t length = strlen(text);
            snprintf(text + length, size - length, "%s%s", length > 0 ? " " : "", word);
            return true;
        }
        fprintf(t->out, "That is no %s.\n", predict_is_word(key) ? "name of a limit" : "number");
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
    printf("Your next run, before you see it:\n");
    for (unsigned i = 0; i < keys.count && ask(&terminal, &keys, i, text, sizeof text); i++)
        ;
    putchar('\n');
    return text[0] == '\0' || predict_keep(s, text, error, sizeof error) ? 0 : command_refuse(error);
}
