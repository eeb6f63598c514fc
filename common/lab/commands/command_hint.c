/*
 * Hints, one more each time. labs/labN-topic/hints.md has one hint under each "## " heading; how many were
 * shown stands with the learner's standing.
 */
#include "base/home.h"
#include "lab/commands/commands.h"
#include "lab/learner/standing.h"
#include "report/writers/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Start of hint `number` (from 1): its heading's text; NULL beyond the last. */
static const char *find_hint(const char *text, unsigned number) {
    for (const char *at = text; at != NULL; at = strstr(at, "\n## ")) {
        at += *at == '\n';
        if (strncmp(at, "## ", 3) == 0 && --number == 0)
            return at + 3;
        if (*at == '\0')
            break;
        at += strncmp(at, "## ", 3) == 0;
    }
    return NULL;
}

static unsigned count_hints(const char *text) {
    unsigned count = 0;
    while (find_hint(text, count + 1) != NULL)
        count++;
    return count;
}

int command_hint(struct settings *s, const char *lab, int count, char **rest) {
    (void)count, (void)rest;
    char error[SETTINGS_ERROR], path[PATH_SIZE];
    struct standing standing;
    s->device = DEVICE_SIM; /* hints need none */
    if (!settings_resolve(s, lab, error, sizeof error))
        return command_refuse(error);
    path_print(path, "%s/labs/%s-%s/hints.md", s->root, s->lab.id, s->lab.topic);
    char *text = command_read_text(path);
    unsigned hints = text != NULL ? count_hints(text) : 0;
    if (hints == 0) {
        free(text);
        snprintf(error, sizeof error, "%s has no hints", path);
        return command_refuse(error);
    }
    if (!standing_load(s, &standing, error, sizeof error)) {
        free(text);
        return command_refuse(error);
    }
    unsigned shown = standing.hints;
    unsigned next = shown < hints ? shown + 1 : hints;

    struct terminal terminal = terminal_open(stdout);
    const char *hint = find_hint(text, next), *end = strstr(hint, "\n## ");
    size_t length = end != NULL ? (size_t)(end - hint) : strlen(hint), heading = strcspn(hint, "\n");
    while (length > 0 && (hint[length - 1] == '\n' || hint[length - 1] == ' '))
        length--;
    bool titled = strncmp(hint, "Hint ", 5) != 0; /* more than its number */
    terminal_print(&terminal, STYLE_TITLE, "\nHint %u of %u%s%.*s\n", next, hints, titled ? "  " : "",
                   titled ? (int)heading : 0, hint);
    if (length > heading)
        printf("%.*s\n", (int)(length - heading), hint + heading);
    if (shown >= hints && home_is_students(s->root))
        terminal_print(&terminal, STYLE_DIM, "\nThat was the last one.\n");
    else if (shown >= hints)
        terminal_print(&terminal, STYLE_DIM,
                       "\nThat was the last one. make %s-steps shows the ladder of the solution.\n",
                       s->lab.id);
    else if (next < hints)
        terminal_print(&terminal, STYLE_DIM, "\nmake %s-hint again for the next one.\n", s->lab.id);
    free(text);

    standing.hints = next;
    return standing_save(s, &standing, error, sizeof error) ? 0 : command_refuse(error);
}
