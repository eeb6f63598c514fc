/* lab: build/bin/lab, one lab at a time: what `make lab1` and its companions run once the kernels are built. */
#include "lab/commands/commands.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    int (*run)(struct settings *settings, const char *lab, int count, char **rest);
    bool needs_lab;
    const char *what;
} commands[] = {
    {"run", command_run, true,
     "check the kernel, time it beside starter and reference, score it; 0 when it is right"},
    {"pass", command_pass, true, "the same; 0 only when the pass mark is reached"},
    {"steps", command_steps, true, "the ladder: every step of the solutions up to this lab"},
    {"keys", command_keys, true,
     "every step's points under `-- 20` keys; 0 only when no step's are more than 3 apart"},
    {"record", command_record, true, "what ncu counts in every step of this lab: build/labN/recording.csv"},
    {"experiment", command_experiment, true,
     "`-- NAME` of solutions/labN-topic/experiments: a table, build/labN/NAME.csv, a picture"},
    {"predict", command_predict, true, "asks what the next run will show, and keeps it"},
    {"hint", command_hint, true, "the next hint"},
    {"solution", command_solution, true, "your kernel against the reference, once it passes (or --force)"},
    {"reset", command_reset, true, "the starter again; asks (or --yes), keeps a backup"},
    {"profile", command_profile, true,
     "where the time goes, what changed since last time; as a page: build/labN/profile.html"},
    {"timeline", command_timeline, true,
     "what host, copies and kernels do when, in one call: a drawing, build/labN/timeline.svg"},
    {"watch", command_watch, true, "run `-- COMMAND ...` now and whenever the kernel is saved"},
    {"state", command_state, false, "a line for each lab: best score, last score, passed or not"},
    {"device", command_device, false, "cuda or sim: what DEVICE=auto stands for here"},
    {"arch", command_arch, false, "the architecture to compile for, out of `-- compute_75 compute_80 ...`"},
};

static int usage(FILE *out) {
    fputs("usage: lab COMMAND [labN] [--device auto|cuda|sim] [--gpu MODEL] [--size WxH] [--image FILE] "
          "[--seed N]\n"
          "           [--timeout SECONDS] [--rounds N] [--arch NN] [--strict 0|1] [--force] [--yes] "
          "[--grading]\n"
          "           [-- ...]\n\n",
          out);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].what);
    return out == stdout ? 0 : 2;
}

int main(int count, char **arguments) {
    static struct settings settings;
    char error[SETTINGS_ERROR];
    if (count < 2)
        return usage(stderr);
    if (strcmp(arguments[1], "--help") == 0 || strcmp(arguments[1], "help") == 0)
        return usage(stdout);
    size_t command = 0, known = sizeof commands / sizeof *commands;
    while (command < known && strcmp(commands[command].name, arguments[1]) != 0)
        command++;
    if (command == known) {
        fprintf(stderr, "lab: there is no command '%s'\n", arguments[1]);
        return usage(stderr);
    }
    if (!settings_init(&settings, error, sizeof error)) {
        fprintf(stderr, "lab: %s\n", error);
        return 2;
    }
    const char *lab = NULL;
    int at = 2;
    if (commands[command].needs_lab) {
        if (count < 3) {
            fprintf(stderr, "lab %s: which lab? e.g. lab %s lab1\n", arguments[1], arguments[1]);
            return 2;
        }
        lab = arguments[at++];
    }
    while (at < count && strcmp(arguments[at], "--") != 0) {
        int used = settings_option(&settings, count - at, arguments + at, error, sizeof error);
        if (used == 0) {
            fprintf(stderr, "lab: %s\n", error);
            return 2;
        }
        at += used;
    }
    at += at < count; /* the "--" itself */
    int status = commands[command].run(&settings, lab, count - at, arguments + at);
    settings_free(&settings);
    return status;
}
