/* known.c: the PTX that make grade has built of starters, references and steps. */
#include "class/alike/alike.h"

#include "base/file.h"
#include "base/home.h"
#include "lab/problems/lab.h"
#include "prints/opcodes.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PTX_MOST = 64 << 20, KNOWN_MOST = 256 };

struct reader {
    const char *root;
    struct home home;
    struct lab own; /* the lab of the class */
    struct alike_known *known;
    size_t count;
    struct alike_prints *handed_out;
};

static bool append(struct alike_prints *to, const struct alike_prints *from) {
    struct fingerprint *grown = realloc(to->prints, (to->count + from->count + 1) * sizeof *grown);
    if (grown == NULL)
        return false;
    to->prints = grown;
    memcpy(grown + to->count, from->prints, from->count * sizeof *grown);
    to->count = prints_tidy(grown, to->count + from->count);
    return true;
}

/* The source of a program NAME, relative to the lab's folder of solutions; a step or the reference. */
static void source_of(const char *name, char source[64]) {
    if (strcmp(name, "reference") == 0)
        strcpy(source, "kernel.cu");
    else
        snprintf(source, 64, "%s%.40s.cu", strncmp(name, "step-", 5) == 0 ? "steps/" : "", name);
}

/* The labs climb one way: a student of lab 3 was handed the starters of labs 1 and 2, too. */
static bool is_handed_out(const struct reader *r, const struct lab *lab, const char *name,
                          const char *source) {
    bool before = strtoul(lab->id + 3, NULL, 10) <= strtoul(r->own.id + 3, NULL, 10);
    return before && (strcmp(name, "starter") == 0 || strcmp(source, lab->baseline) == 0);
}

/* BUILD/kernels/LAB/NAME-ARCH.ptx */
static bool read_one(struct reader *r, const struct lab *lab, const char *path, const char *name) {
    char error[TEXT_ERROR], source[64];
    struct alike_known *known = &r->known[r->count];
    struct alike_prints prints = {0};
    size_t length;
    source_of(name, source);
    path_print(known->source, "%s/solutions/%s-%s/%s", r->root, lab->id, lab->topic, source);
    if (access(known->source, R_OK) != 0) /* it was a step once */
        return true;
    char *ptx = file_read(path, PTX_MOST, &length, error, sizeof error);
    bool right = ptx == NULL || opcodes_prints(ptx, length, &prints.prints, &prints.count);
    free(ptx);
    if (prints.prints != NULL && is_handed_out(r, lab, name, source)) {
        right = append(r->handed_out, &prints);
    } else if (prints.prints != NULL && strcmp(name, "starter") != 0) {
        bool is_step = strncmp(name, "step-", 5) == 0, is_own = strcmp(lab->id, r->own.id) == 0;
        snprintf(known->title, sizeof known->title, "%s%.32s%s%s", is_step ? "step " : "the ",
                 is_step ? name + 5 : name, is_own ? "" : " of ", is_own ? "" : lab->id);
        known->compiled = prints;
        known->kernels = 0;
        r->count++;
        return right;
    }
    free(prints.prints);
    return right;
}

static bool read_lab(struct reader *r, const struct lab *lab) {
    char folder[PATH_SIZE], path[PATH_SIZE];
    struct dirent **names = NULL;
    bool right = true;
    int count = path_print(folder, "%s/kernels/%s", r->home.build, lab->id)
                    ? scandir(folder, &names, NULL, alphasort)
                    : 0;
    for (int i = 0; i < count; i++) {
        char name[64];
        const char *file = names[i]->d_name, *arch = strrchr(file, '-');
        bool is_ptx = arch != NULL && strlen(arch) > 4 && strcmp(arch + strlen(arch) - 4, ".ptx") == 0;
        snprintf(name, sizeof name, "%.*s", is_ptx ? (int)(arch - file) : 0, file);
        if (is_ptx && right && r->count < KNOWN_MOST && path_join(path, folder, file))
            right = read_one(r, lab, path, name);
        free(names[i]);
    }
    free(names);
    return right;
}

bool known_read(const char *root, const char *id, struct alike_known **known, size_t *count,
                struct alike_prints *handed_out) {
    char error[TEXT_ERROR];
    unsigned numbers[LABS_MOST];
    struct reader *r = calloc(1, sizeof *r);
    struct lab *lab = malloc(sizeof *lab);
    *handed_out = (struct alike_prints){0};
    *known = r != NULL && lab != NULL ? calloc(KNOWN_MOST, sizeof **known) : NULL;
    bool right = *known != NULL;
    if (right) {
        *r = (struct reader){.root = root, .known = *known, .handed_out = handed_out};
        bool found =
            home_find(&r->home, error, sizeof error) && lab_load(root, id, &r->own, error, sizeof error);
        unsigned labs = found ? lab_numbers(root, numbers) : 0;
        for (unsigned i = 0; right && i < labs; i++) {
            char other[16];
            snprintf(other, sizeof other, "lab%u", numbers[i]);
            if (lab_load(root, other, lab, error, sizeof error) && lab->problem == r->own.problem)
                right = read_lab(r, lab);
        }
        *count = r->count;
    }
    for (size_t i = 0; right && i < *count; i++)
        alike_without(&(*known)[i].compiled, handed_out);
    free(lab);
    free(r);
    return right;
}

void known_free(struct alike_known *known, size_t count) {
    for (size_t i = 0; known != NULL && i < count; i++)
        free(known[i].compiled.prints);
    free(known);
}
