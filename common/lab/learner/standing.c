/* standing.c: the file, and what earlier kits kept in build/labN: report.json and hints. */
#include "lab/learner/standing.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/ini.h"
#include "lab/commands/commands.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_MOST = 64 << 10 };

static void own_folder(const struct settings *s, char path[PATH_SIZE]) {
    path_print(path, "%s/labs/%s-%s", s->keep, s->lab.id, s->lab.topic);
}

static void own_file(const struct settings *s, char path[PATH_SIZE]) {
    path_print(path, "%s/labs/%s-%s/.progress.ini", s->keep, s->lab.id, s->lab.topic);
}

/* FNV-1a: whether the file was edited since is all that it is for. */
uint64_t standing_source(const struct settings *s) {
    char path[PATH_SIZE];
    command_student_file(s, path);
    char *text = command_read_text(path);
    uint64_t hash = text != NULL ? hash_bytes(HASH_START, text, strlen(text)) : 0;
    free(text);
    return hash;
}

/* ---- reading */

struct parser {
    struct standing *standing;
    struct standing_score *score; /* of the section; NULL: before any */
};

static bool section(struct ini *ini, const char *name) {
    struct parser *p = ini->context;
    p->score = strcmp(name, "best") == 0   ? &p->standing->best
               : strcmp(name, "last") == 0 ? &p->standing->last
                                           : NULL;
    if (p->score == NULL)
        return ini_refuse(ini, "unknown section [%s]: [best] or [last]", name);
    p->score->present = true;
    return true;
}

static bool take_count(struct ini *ini, const char *value, unsigned *to) {
    uint64_t number;
    bool right = ini_count(ini, value, 0, 1000, &number);
    *to = right ? (unsigned)number : 0;
    return right;
}

static bool key(struct ini *ini, const char *name, const char *value) {
    struct parser *p = ini->context;
    char *end;
    if (p->score == NULL && strcmp(name, "passed") == 0) {
        p->standing->passed = strcmp(value, "yes") == 0;
        return p->standing->passed || strcmp(value, "no") == 0 || ini_refuse(ini, "passed is yes or no");
    }
    if (p->score == NULL && strcmp(name, "hints") == 0)
        return take_count(ini, value, &p->standing->hints);
    if (p->score == NULL && strcmp(name, "kernel") == 0) {
        p->standing->source = strtoull(value, &end, 16);
        return *end == '\0' || ini_refuse(ini, "kernel is a hexadecimal number");
    }
    if (p->score != NULL && strcmp(name, "points") == 0)
        return ini_number(ini, value, 0, 1e6, &p->score->points, NULL);
    if (p->score != NULL && strcmp(name, "max") == 0)
        return ini_number(ini, value, 0, 1e6, &p->score->max, NULL);
    if (p->score != NULL && strcmp(name, "stage") == 0)
        return ini_text(ini, value, p->score->stage, sizeof p->score->stage);
    if (p->score != NULL && strcmp(name, "gpu") == 0)
        return ini_text(ini, value, p->score->gpu, sizeof p->score->gpu);
    if (p->score != NULL && strcmp(name, "time") == 0) {
        p->score->modelled = strcmp(value, "modelled") == 0;
        return p->score->modelled || strcmp(value, "measured") == 0 ||
               ini_refuse(ini, "time is modelled or measured");
    }
    return ini_refuse(ini, "unknown key '%s'", name);
}

/* Was it a run that counts? As far as a report tells. */
static bool was_standard(const struct settings *s, const struct report *report) {
    const struct report_problem *problem = &report->problem;
    bool simulated = report->device.kind == DEVICE_SIM;
    const struct lab_part *part = &s->lab.parts[0];
    bool own = !simulated && part->cuda_width != 0;
    return problem->width == (own ? part->cuda_width : part->width) &&
           problem->height == (own ? part->cuda_height : part->height) && problem->image == NULL &&
           problem->seed == SETTINGS_SEED &&
           (!simulated || (report->device.model != NULL && strcmp(report->device.model, SETTINGS_GPU) == 0));
}

/* True: there was something. */
static bool adopt(const struct settings *s, struct standing *standing) {
    char path[PATH_SIZE], error[REPORT_ERROR_SIZE];
    struct report report;
    path_print(path, "%s/%s/hints", s->build, s->lab.id);
    char *hints = command_read_text(path);
    if (hints != NULL)
        standing->hints = (unsigned)strtoul(hints, NULL, 10);
    free(hints);
    path_print(path, "%s/%s/report.json", s->build, s->lab.id);
    if (report_read(&report, path, error, sizeof error)) {
        if (was_standard(s, &report))
            standing_take(standing, &report, 0);
        report_free(&report);
    }
    return standing->hints > 0 || standing->last.present;
}

bool standing_load(const struct settings *s, struct standing *standing, char *error, size_t size) {
    char path[PATH_SIZE];
    struct parser parser = {.standing = standing};
    struct ini ini = {
        .file = path, .error = error, .error_size = size, .context = &parser, .section = section, .key = key};
    *standing = (struct standing){0};
    own_file(s, path);
    if (access(path, F_OK) != 0)
        return !adopt(s, standing) || standing_save(s, standing, error, size);
    return ini_load(&ini, TEXT_MOST);
}

/* ---- writing */

static void write_score(FILE *to, const char *name, const struct standing_score *score) {
    if (!score->present)
        return;
    fprintf(to, "\n[%s]\npoints = %g\nmax = %g\ntime = %s\n", name, score->points, score->max,
            score->modelled ? "modelled" : "measured");
    if (score->stage[0] != '\0')
        fprintf(to, "stage = %s\n", score->stage);
    if (score->gpu[0] != '\0')
        fprintf(to, "gpu = %s\n", score->gpu);
}

bool standing_save(const struct settings *s, const struct standing *standing, char *error, size_t size) {
    char folder[PATH_SIZE];
    struct file_output output;
    own_folder(s, folder);
    if (!file_begin(&output, folder, ".progress.ini", error, size))
        return false;
    fprintf(output.file, "# Where you stand in this lab, as `make` shows it. `make clean` leaves it here.\n");
    fprintf(output.file, "passed = %s\nhints = %u\nkernel = %llx\n", standing->passed ? "yes" : "no",
            standing->hints, (unsigned long long)standing->source);
    write_score(output.file, "best", &standing->best);
    write_score(output.file, "last", &standing->last);
    return file_end(&output, error, size);
}

void standing_take(struct standing *standing, const struct report *report, uint64_t source) {
    struct standing_score score = {.present = true,
                                   .points = report->score_points,
                                   .max = report->score_max,
                                   .modelled = report->device.kind == DEVICE_SIM};
    snprintf(score.stage, sizeof score.stage, "%s",
             report->failure_stage != STAGE_NONE ? report_stage_name(report->failure_stage) : "");
    snprintf(score.gpu, sizeof score.gpu, "%s", report->device.gpu != NULL ? report->device.gpu : "");
    if (!standing->best.present || score.points > standing->best.points ||
        (standing->best.stage[0] != '\0' && score.stage[0] == '\0'))
        standing->best = score;
    standing->last = score;
    standing->source = source;
    standing->passed = standing->passed || report->score_passed;
}

void standing_backups(const struct settings *s, char path[PATH_SIZE]) {
    path_print(path, "%s/labs/%s-%s/backups", s->keep, s->lab.id, s->lab.topic);
}
