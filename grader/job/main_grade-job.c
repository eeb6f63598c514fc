/* grade-job: grade one submission of one lab (job.h). */
#include "job/job.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: grade-job --lab LAB --kernel FILE --output DIR [--device sim|cuda] [--gpu MODEL]\n"
    "                 [--size WxH] [--key FILE | --seed N] [--build-seconds S] [--run-seconds S]\n"
    "                 [--memory-mib N] [--judge-mib N] [--cache DIR]\n"
    "                 [--sandbox bubblewrap|landlock|none | --unsafe]\n"
    "       grade-job --try-sandbox [--sandbox NAME]\n"
    "       grade-job --kit --lab LAB [--device ...] [--gpu ...]\n"
    "\n"
    "Compiles FILE in a sandbox, judges and measures it in another, and writes DIR/result.json,\n"
    "whatever FILE does. --judge-mib: what the judge itself may use meanwhile. --cache: where the runs of starter and reference are kept.\n"
    "--key: 64 hexadecimal digits, secret, from which all inputs follow. --seed: a number instead,\n"
    "whose inputs anybody can make: to try things out.\n"
    "--sandbox: this one; else the variable SANDBOX says, or the strongest is taken that works here.\n"
    "--unsafe: none. --try-sandbox: print which that is, and what it does not cover. --kit: print the version of what a result depends on.\n"
    "Exit status: 0 a result was written, 1 the grader itself is in trouble, 2 wrong usage.\n";

static bool read_number(const char *text, unsigned least, unsigned most, unsigned *number) {
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 || value < least || value > most)
        return false;
    *number = (unsigned)value;
    return true;
}

/* --name value. False when the name is unknown or the value makes no sense. */
static bool take(struct job_options *o, const char *name, const char *value) {
    const struct {
        const char *name;
        const char **to;
    } texts[] = {{"--lab", &o->lab},        {"--kernel", &o->kernel}, {"--output", &o->output},
                 {"--device", &o->device},  {"--gpu", &o->gpu},       {"--size", &o->size},
                 {"--seed", &o->seed},      {"--key", &o->key},       {"--cache", &o->cache},
                 {"--sandbox", &o->sandbox}};
    const struct {
        const char *name;
        unsigned *to, least, most;
    } numbers[] = {{"--build-seconds", &o->build_seconds, 1, 86400},
                   {"--run-seconds", &o->run_seconds, 1, 86400},
                   {"--memory-mib", &o->memory_mib, 64, 1 << 20},
                   {"--judge-mib", &o->judge_mib, 1, 1 << 20}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(name, texts[i].name) == 0)
            return (*texts[i].to = value);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(name, numbers[i].name) == 0)
            return read_number(value, numbers[i].least, numbers[i].most, numbers[i].to);
    return false;
}

int main(int count, char **arguments) {
    struct job_options options;
    bool kit = false, try_sandbox = false;
    job_defaults(&options);
    for (int i = 1; i < count; i++) {
        const char *name = arguments[i];
        if (strcmp(name, "--help") == 0) {
            fputs(usage, stdout);
            return 0;
        }
        if (strcmp(name, "--unsafe") == 0) {
            options.sandbox = "none";
        } else if (strcmp(name, "--kit") == 0) {
            kit = true;
        } else if (strcmp(name, "--try-sandbox") == 0) {
            try_sandbox = true;
        } else if (i + 1 == count || !take(&options, name, arguments[++i])) {
            fprintf(stderr, "grade-job: cannot take '%s%s%s'\n%s", name, i < count ? " " : "",
                    i < count && arguments[i] != name ? arguments[i] : "", usage);
            return 2;
        }
    }
    if (try_sandbox)
        return job_print_sandbox(&options);
    if (options.lab == NULL || (!kit && (options.kernel == NULL || options.output == NULL))) {
        fprintf(stderr, "grade-job: --lab, --kernel and --output are needed\n%s", usage);
        return 2;
    }
    return kit ? job_print_kit(&options) : job_run(&options);
}
