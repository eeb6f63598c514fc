/* alike.c: fingerprints of all kernels, and how many each two share. */
#include "class/alike/alike.h"

#include "base/file.h"
#include "class/alike/tokens.h"
#include "lab/tasks/tasks.h"
#include "prints/opcodes.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

/* Fewer of its own, and a kernel is too small to be like another; so many kernels that have one make it a commonplace. */
static const size_t least[ALIKE_WAYS] = {
    [ALIKE_SOURCE] = 24, [ALIKE_STRUCTURE] = 20, [ALIKE_COMPILED] = 16, [ALIKE_STEADY] = 20};
enum { COMMON_LEAST = 10, COMMON_SHARE = 4, KERNELS_MOST = 4000, PATH_DEEP = 4 };

static bool add_tokens(struct alike_prints *pool, const struct token *tokens, size_t token_count) {
    struct fingerprint *prints = NULL;
    size_t count = winnow(tokens, token_count, WINNOW_RUN, &prints);
    struct fingerprint *grown =
        prints != NULL ? realloc(pool->prints, (pool->count + count + 1) * sizeof *grown) : NULL;
    if (grown != NULL) {
        pool->prints = grown;
        memcpy(grown + pool->count, prints, count * sizeof *prints);
        pool->count = prints_tidy(grown, pool->count + count);
    }
    free(prints);
    return grown != NULL;
}

bool alike_add_source(struct alike_prints *pool, const char *text, size_t length) {
    struct token *tokens;
    size_t count = tokens_read(text, length, &tokens);
    bool right = tokens != NULL && add_tokens(pool, tokens, count);
    free(tokens);
    return right;
}

/* ALIKE_SOURCE and ALIKE_STRUCTURE of a source. */
static bool add_both(struct alike_prints pools[ALIKE_WAYS], const char *text, size_t length) {
    struct token *tokens;
    size_t count = tokens_read(text, length, &tokens);
    bool right = tokens != NULL && add_tokens(&pools[ALIKE_SOURCE], tokens, count) &&
                 add_tokens(&pools[ALIKE_STRUCTURE], tokens, tokens_structure(tokens, count));
    free(tokens);
    return right;
}

void alike_without(struct alike_prints *prints, const struct alike_prints *others) {
    size_t kept = 0;
    for (size_t i = 0; i < prints->count; i++)
        if (!prints_have(others->prints, others->count, prints->prints[i].hash))
            prints->prints[kept++] = prints->prints[i];
    prints->count = kept;
}

size_t alike_shared(const struct alike_prints *one, const struct alike_prints *other) {
    size_t shared = 0;
    for (size_t i = 0; i < one->count; i++)
        shared += prints_have(other->prints, other->count, one->prints[i].hash);
    return shared;
}

/* Every .cu and .h below a folder of the kit's. */
static bool add_folder(struct alike_prints pools[ALIKE_WAYS], const char *folder, int deep) {
    DIR *directory = deep < PATH_DEEP ? opendir(folder) : NULL;
    bool right = true;
    if (directory == NULL)
        return true;
    for (struct dirent *entry; right && (entry = readdir(directory)) != NULL;) {
        char path[PATH_SIZE], error[TEXT_ERROR];
        size_t length = strlen(entry->d_name), size;
        if (entry->d_name[0] == '.' || !path_join(path, folder, entry->d_name))
            continue;
        if (entry->d_type == DT_DIR) {
            right = add_folder(pools, path, deep + 1);
        } else if ((length > 3 && strcmp(entry->d_name + length - 3, ".cu") == 0) ||
                   (length > 2 && strcmp(entry->d_name + length - 2, ".h") == 0)) {
            char *text = file_read(path, KERNEL_LIMIT, &size, error, sizeof error);
            right = text == NULL || add_both(pools, text, size);
            free(text);
        }
    }
    closedir(directory);
    return right;
}

/* ---- the lab's kernels */

static bool add_student(struct alike_kernel *kernel, const char *student) {
    char **grown = realloc(kernel->students, (kernel->student_count + 1) * sizeof *grown);
    if (grown == NULL)
        return false;
    kernel->students = grown;
    return (grown[kernel->student_count] = strdup(student)) != NULL && ++kernel->student_count > 0;
}

static bool take_row(struct alike *alike, const char *sha256, const char *student) {
    struct alike_kernel *last = alike->count > 0 ? &alike->kernels[alike->count - 1] : NULL;
    if (last != NULL && strcmp(last->sha256, sha256) == 0)
        return add_student(last, student);
    if (alike->count == KERNELS_MOST)
        return true;
    struct alike_kernel *grown = realloc(alike->kernels, (alike->count + 1) * sizeof *grown);
    if (grown == NULL)
        return false;
    alike->kernels = grown;
    last = &grown[alike->count++];
    *last = (struct alike_kernel){0};
    snprintf(last->sha256, sizeof last->sha256, "%s", sha256);
    return add_student(last, student);
}

static bool read_source(const char *folder, const struct alike_prints kit[ALIKE_WAYS],
                        struct alike_kernel *kernel) {
    char path[PATH_SIZE], error[TEXT_ERROR];
    size_t length;
    char *text = kernel_store_path(folder, kernel->sha256, path)
                     ? file_read(path, KERNEL_LIMIT, &length, error, sizeof error)
                     : NULL;
    /* a kernel that is gone is like no other */
    bool right = text == NULL || add_both(kernel->by, text, length);
    free(text);
    alike_without(&kernel->by[ALIKE_SOURCE], &kit[ALIKE_SOURCE]);
    alike_without(&kernel->by[ALIKE_STRUCTURE], &kit[ALIKE_STRUCTURE]);
    return right;
}

/* What a judge has kept, of the simulated GPU first: all of a class for one GPU, since some opcodes depend on it. */
static bool read_compiled(struct gradebook *book, const char *lab, struct alike_kernel *kernel) {
    sqlite3_stmt *row =
        gradebook_prepare(book,
                          "SELECT json_extract(r.result, '$.prints') FROM jobs j"
                          " JOIN results r ON r.job = j.key WHERE j.sha256 = ? AND j.lab = ?"
                          " AND json_valid(r.result) AND json_type(r.result, '$.prints') = 'text'"
                          " ORDER BY j.device DESC, r.id DESC LIMIT 1",
                          "ss", kernel->sha256, lab);
    struct alike_prints *prints = &kernel->by[ALIKE_COMPILED];
    kernel->is_compiled = row != NULL && sqlite3_step(row) == SQLITE_ROW &&
                          opcodes_prints_parse(gradebook_text(row, 0), &prints->prints, &prints->count) &&
                          prints->count > 0;
    sqlite3_finalize(row);
    return row != NULL;
}

static bool read_all(struct gradebook *book, const char *root, const char *lab, struct alike *alike) {
    struct alike_prints kit[ALIKE_WAYS] = {{0}};
    char folder[PATH_SIZE];
    sqlite3_stmt *row = gradebook_prepare(
        book,
        "SELECT sha256, student FROM submissions WHERE lab = ? AND sha256 <> '' ORDER BY sha256, student",
        "s", lab);
    if (row == NULL)
        return false;
    bool right = true;
    while (right && sqlite3_step(row) == SQLITE_ROW)
        right = take_row(alike, gradebook_text(row, 0), gradebook_text(row, 1));
    sqlite3_finalize(row);
    static const char *const folders[] = {"solutions", "labs"};
    for (int i = 0; right && i < 2; i++)
        right = path_join(folder, root, folders[i]) && add_folder(kit, folder, 0);
    path_join(folder, book->folder, "kernels");
    for (size_t i = 0; right && i < alike->count; i++)
        right = read_source(folder, kit, &alike->kernels[i]) && read_compiled(book, lab, &alike->kernels[i]);
    free(kit[ALIKE_SOURCE].prints);
    free(kit[ALIKE_STRUCTURE].prints);
    return right;
}

/* ---- the kit's own */

static double share_of(size_t shared, size_t one, size_t other, size_t least) {
    size_t smaller = one < other ? one : other;
    return smaller >= least ? (double)shared / (double)smaller : 0;
}

/* The compiled code's prints are one list, the steady ones last: that part of it. */
static struct alike_prints part_of(const struct alike_prints *compiled, enum alike_by by) {
    size_t steady = 0;
    while (steady < compiled->count && (compiled->prints[steady].hash & STEADY_BIT) == 0)
        steady++;
    return by == ALIKE_COMPILED ? (struct alike_prints){compiled->prints, steady}
                                : (struct alike_prints){compiled->prints + steady, compiled->count - steady};
}

/* The known kernel that it is most like; of those that it holds whole, the largest. */
static void find_known(struct alike *alike, struct alike_kernel *kernel, double percent) {
    double best = 0;
    for (size_t i = 0; i < alike->known_count; i++)
        for (enum alike_by by = ALIKE_COMPILED; by <= ALIKE_STEADY; by++) {
            const struct alike_prints mine = part_of(&kernel->by[ALIKE_COMPILED], by),
                                      theirs = part_of(&alike->known[i].compiled, by);
            size_t shared = alike_shared(&mine, &theirs);
            double share = share_of(shared, mine.count, theirs.count, least[by]) * 100,
                   both = 2.0 * (double)shared / (double)(mine.count + theirs.count + 1);
            if (share >= percent && both > best) {
                best = both;
                kernel->known = &alike->known[i];
                kernel->known_percent = (unsigned)(share + 1e-9);
                kernel->known_steady = by == ALIKE_STEADY;
            }
        }
}

/* Against each of the kit's kernels; then what these have counts no more between students. */
static bool compare_known(struct alike *alike, const char *root, const char *lab, double percent) {
    struct alike_prints handed_out;
    bool right = known_read(root, lab, &alike->known, &alike->known_count, &handed_out);
    for (size_t k = 0; right && k < alike->count; k++) {
        struct alike_kernel *kernel = &alike->kernels[k];
        struct alike_prints *mine = &kernel->by[ALIKE_COMPILED];
        size_t all = mine->count;
        alike_without(mine, &handed_out);
        kernel->is_start = all > mine->count && part_of(mine, ALIKE_COMPILED).count < least[ALIKE_COMPILED];
        find_known(alike, kernel, percent);
        for (size_t i = 0; i < alike->known_count; i++) {
            alike->known[i].kernels += kernel->known == &alike->known[i];
            alike_without(mine, &alike->known[i].compiled);
        }
        kernel->by[ALIKE_STEADY] = part_of(mine, ALIKE_STEADY); /* of the same memory */
        *mine = part_of(mine, ALIKE_COMPILED);
        alike->like_known += kernel->known != NULL;
        alike->compiled += kernel->is_compiled;
        alike->start += kernel->is_start;
    }
    free(handed_out.prints);
    return right;
}

bool alike_is_common(const struct alike *alike, size_t kernels) {
    size_t share = alike->count / COMMON_SHARE;
    return kernels > (share > COMMON_LEAST ? share : COMMON_LEAST);
}

/* ---- pairs */

/* A fingerprint of a kernel's: (hash, kernel). */
static int by_print(const void *a, const void *b) {
    const struct fingerprint *one = a, *other = b;
    if (one->hash != other->hash)
        return one->hash < other->hash ? -1 : 1;
    return one->token < other->token ? -1 : one->token > other->token;
}

/* shared[other * (other - 1) / 2 + one], one < other. Commonplaces are taken from the kernels. */
static bool count_shared(struct alike *alike, enum alike_by by, uint16_t *shared) {
    size_t all = 0, at = 0;
    for (size_t k = 0; k < alike->count; k++)
        all += alike->kernels[k].by[by].count;
    struct fingerprint *prints = calloc(all + 1, sizeof *prints);
    if (prints == NULL)
        return false;
    for (size_t k = 0; k < alike->count; k++)
        for (size_t i = 0; i < alike->kernels[k].by[by].count; i++)
            prints[at++] = (struct fingerprint){alike->kernels[k].by[by].prints[i].hash, (uint32_t)k};
    if (all > 1)
        qsort(prints, all, sizeof *prints, by_print);
    struct alike_prints common = {prints, 0}; /* overwrites what was read */
    for (size_t i = 0, end; i < all; i = end) {
        for (end = i; end < all && prints[end].hash == prints[i].hash;)
            end++;
        if (alike_is_common(alike, end - i)) {
            common.prints[common.count++] = prints[i];
            continue;
        }
        for (size_t b = i; b < end; b++)
            for (size_t a = i; a < b; a++) {
                uint16_t *cell =
                    &shared[(size_t)prints[b].token * (prints[b].token - 1) / 2 + prints[a].token];
                *cell += *cell < UINT16_MAX;
            }
    }
    for (size_t k = 0; k < alike->count; k++)
        alike_without(&alike->kernels[k].by[by], &common);
    free(prints);
    return true;
}

static bool add_pair(struct alike *alike, size_t one, size_t other, const double share[ALIKE_WAYS]) {
    if ((alike->pair_count & (alike->pair_count + 1)) == 0) { /* 0, 1, 3, 7, ...: full */
        struct alike_pair *grown = realloc(alike->pairs, (alike->pair_count * 2 + 1) * sizeof *grown);
        if (grown == NULL)
            return false;
        alike->pairs = grown;
    }
    struct alike_pair *pair = &alike->pairs[alike->pair_count++];
    *pair = (struct alike_pair){(uint32_t)one, (uint32_t)other, 0, {0}};
    for (int by = 0; by < ALIKE_WAYS; by++) {
        pair->by[by] = (unsigned)(share[by] * 100 + 1e-9);
        pair->percent = pair->by[by] > pair->percent ? pair->by[by] : pair->percent;
    }
    return true;
}

static int by_percent(const void *a, const void *b) {
    const struct alike_pair *one = a, *other = b;
    if (one->percent != other->percent)
        return one->percent > other->percent ? -1 : 1;
    if (one->one != other->one)
        return one->one < other->one ? -1 : 1;
    return one->other < other->other ? -1 : one->other > other->other;
}

static bool find_pairs(struct alike *alike, uint16_t *const shared[ALIKE_WAYS], double percent) {
    bool right = true;
    for (size_t b = 0; right && b < alike->count; b++) {
        const struct alike_kernel *mine = &alike->kernels[b];
        if (mine->student_count > 1 && mine->by[ALIKE_SOURCE].count >= least[ALIKE_SOURCE])
            right = add_pair(alike, b, b, (const double[ALIKE_WAYS]){1, 1, 1, 1});
        for (size_t a = 0; right && a < b; a++) {
            const struct alike_kernel *theirs = &alike->kernels[a];
            double share[ALIKE_WAYS];
            bool listed = false;
            for (int by = 0; by < ALIKE_WAYS; by++) {
                share[by] = share_of(shared[by][b * (b - 1) / 2 + a], mine->by[by].count,
                                     theirs->by[by].count, least[by]);
                listed = listed || share[by] * 100 >= percent;
            }
            if (listed)
                right = add_pair(alike, a, b, share);
        }
    }
    if (alike->pair_count > 1)
        qsort(alike->pairs, alike->pair_count, sizeof *alike->pairs, by_percent);
    return right;
}

bool alike_find(struct gradebook *book, const char *root, const char *lab, double percent,
                struct alike *alike) {
    *alike = (struct alike){0};
    if (!(percent > 0) || tasks_is_lab(root, lab))
        return true;
    uint16_t *shared[ALIKE_WAYS] = {NULL};
    book->error[0] = '\0';
    bool right = read_all(book, root, lab, alike) && compare_known(alike, root, lab, percent);
    for (int by = 0; right && by < ALIKE_WAYS; by++) {
        shared[by] = calloc(alike->count * (alike->count + 1) / 2 + 1, sizeof **shared);
        right = shared[by] != NULL && count_shared(alike, by, shared[by]);
    }
    right = right && find_pairs(alike, shared, percent);
    for (int by = 0; by < ALIKE_WAYS; by++)
        free(shared[by]);
    if (!right) {
        if (book->error[0] == '\0')
            snprintf(book->error, sizeof book->error, "out of memory");
        alike_free(alike);
    }
    return right;
}

void alike_free(struct alike *alike) {
    for (size_t k = 0; k < alike->count; k++) {
        for (size_t s = 0; s < alike->kernels[k].student_count; s++)
            free(alike->kernels[k].students[s]);
        free(alike->kernels[k].students);
        for (int by = 0; by < ALIKE_STEADY; by++) /* whose prints are ALIKE_COMPILED's */
            free(alike->kernels[k].by[by].prints);
    }
    free(alike->kernels);
    free(alike->pairs);
    known_free(alike->known, alike->known_count);
    *alike = (struct alike){0};
}

/* ---- what follows */

enum alike_by alike_most(const struct alike_pair *pair) {
    enum alike_by most = ALIKE_SOURCE;
    for (enum alike_by by = ALIKE_SOURCE; by < ALIKE_WAYS; by++)
        most = pair->by[by] > pair->by[most] ? by : most;
    return most;
}

/* The pair that is most alike for this kernel, and with how many students it has such a pair. */
static const struct alike_pair *best_pair(const struct alike *alike, size_t kernel, size_t *others) {
    const struct alike_pair *best = NULL;
    *others = 0;
    for (size_t p = 0; p < alike->pair_count; p++) {
        const struct alike_pair *pair = &alike->pairs[p];
        if (pair->one != kernel && pair->other != kernel)
            continue;
        const struct alike_kernel *partner = &alike->kernels[pair->one == kernel ? pair->other : pair->one];
        *others += pair->one == pair->other ? partner->student_count - 1 : partner->student_count;
        best = best == NULL ? pair : best;
    }
    return best;
}

static bool tell(struct gradebook *book, const char *words, const char *student, const char *lab) {
    return gradebook_do(book,
                        "UPDATE grades SET human = CASE human WHEN '' THEN ?1 ELSE human || ' ' || ?1 END"
                        " WHERE student = ?2 AND lab = ?3",
                        "sss", words, student, lab);
}

static bool tell_one(struct gradebook *book, const struct alike *alike, size_t kernel,
                     const struct alike_pair *pair, size_t others, const char *student, const char *lab) {
    static const char *const of[ALIKE_WAYS] = {[ALIKE_SOURCE] = "",
                                               [ALIKE_STRUCTURE] = " of the source's structure",
                                               [ALIKE_COMPILED] = " of the compiled code",
                                               [ALIKE_STEADY] =
                                                   " of the compiled accesses and floating point"};
    char words[512], more[48] = "";
    const struct alike_kernel *partner = &alike->kernels[pair->one == kernel ? pair->other : pair->one];
    const char *name = partner->students[0];
    if (pair->one == pair->other && strcmp(name, student) == 0)
        name = partner->students[1];
    if (others > 1)
        snprintf(more, sizeof more, ", and %zu more", others - 1);
    if (pair->one == pair->other)
        snprintf(words, sizeof words, "Its kernel is the very file of %.127s%s.", name, more);
    else
        snprintf(words, sizeof words, "Its kernel is like that of %.127s%s: %u %%%s (alike/%s).", name, more,
                 pair->percent, of[alike_most(pair)], lab);
    return tell(book, words, student, lab);
}

static bool tell_known(struct gradebook *book, const struct alike *alike, const struct alike_kernel *kernel,
                       const char *student, const char *lab) {
    char words[512], common[128] = "";
    if (alike_is_common(alike, kernel->known->kernels))
        snprintf(common, sizeof common, ", as that of %zu of %zu kernels: perhaps what everybody comes upon",
                 kernel->known->kernels, alike->count);
    else if (strncmp(kernel->known->title, "step ", 5) == 0)
        snprintf(common, sizeof common, ": a step may be what who knows the subject writes");
    snprintf(words, sizeof words, "Its compiled %s %u %% %s of the kit's %s%s (alike/%s).",
             kernel->known_steady ? "accesses and floating point are" : "code is", kernel->known_percent,
             kernel->known_steady ? "those" : "that",
             strncmp(kernel->known->title, "the ", 4) == 0 ? kernel->known->title + 4 : kernel->known->title,
             common, lab);
    return tell(book, words, student, lab);
}

bool alike_tell(struct gradebook *book, const struct alike *alike, const char *lab,
                bool (*wanted)(const void *context, const char *student), const void *context) {
    for (size_t k = 0; k < alike->count; k++) {
        const struct alike_kernel *kernel = &alike->kernels[k];
        size_t others;
        const struct alike_pair *pair = best_pair(alike, k, &others);
        for (size_t s = 0; s < kernel->student_count; s++) {
            const char *student = kernel->students[s];
            if (wanted != NULL && !wanted(context, student))
                continue;
            if ((pair != NULL && !tell_one(book, alike, k, pair, others, student, lab)) ||
                (kernel->known != NULL && !tell_known(book, alike, kernel, student, lab)))
                return false;
        }
    }
    return true;
}

void alike_mark(const struct alike_prints *mine, const struct alike_prints *theirs,
                const struct token *tokens, size_t count, bool *shared) {
    struct fingerprint *prints = NULL;
    size_t found = winnow(tokens, count, WINNOW_RUN, &prints);
    memset(shared, 0, count * sizeof *shared);
    for (size_t i = 0; prints != NULL && i < found; i++)
        if (prints_have(mine->prints, mine->count, prints[i].hash) &&
            prints_have(theirs->prints, theirs->count, prints[i].hash))
            for (size_t t = prints[i].token; t < count && t < prints[i].token + WINNOW_RUN; t++)
                shared[t] = true;
    free(prints);
}
