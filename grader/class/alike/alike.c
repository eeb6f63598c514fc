/* alike.c: fingerprints of all kernels, and how many each two share. */
#include "class/alike/alike.h"

#include "base/file.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

/* Fewer of its own, and a kernel is too small to be like another; so many kernels that have one make it a commonplace. */
enum { OWN_LEAST = 24, COMMON_LEAST = 10, COMMON_SHARE = 4, KERNELS_MOST = 4000, PATH_DEEP = 4 };

static int by_hash(const void *a, const void *b) {
    const struct fingerprint *one = a, *other = b;
    if (one->hash != other->hash)
        return one->hash < other->hash ? -1 : 1;
    return one->token < other->token ? -1 : one->token > other->token;
}

/* Sorted by hash, each once: the first in the text. */
static size_t tidy(struct fingerprint *prints, size_t count) {
    size_t kept = 0;
    if (count > 1)
        qsort(prints, count, sizeof *prints, by_hash);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || prints[kept - 1].hash != prints[i].hash)
            prints[kept++] = prints[i];
    return kept;
}

static bool has(const struct fingerprint *prints, size_t count, uint64_t hash) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (prints[middle].hash < hash)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && prints[low].hash == hash;
}

/* A growing list of fingerprints. */
struct pool {
    struct fingerprint *prints;
    size_t count;
};

static bool add_text(struct pool *pool, const char *text, size_t length) {
    struct token *tokens;
    struct fingerprint *prints = NULL;
    size_t token_count = tokens_read(text, length, &tokens);
    size_t count = tokens != NULL ? winnow(tokens, token_count, &prints) : 0;
    struct fingerprint *grown =
        prints != NULL ? realloc(pool->prints, (pool->count + count + 1) * sizeof *grown) : NULL;
    if (grown != NULL) {
        pool->prints = grown;
        memcpy(grown + pool->count, prints, count * sizeof *prints);
        pool->count += count;
    }
    free(prints);
    free(tokens);
    return grown != NULL;
}

/* Every .cu and .h below a folder of the kit's. */
static bool add_folder(struct pool *pool, const char *folder, int deep) {
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
            right = add_folder(pool, path, deep + 1);
        } else if ((length > 3 && strcmp(entry->d_name + length - 3, ".cu") == 0) ||
                   (length > 2 && strcmp(entry->d_name + length - 2, ".h") == 0)) {
            char *text = file_read(path, KERNEL_LIMIT, &size, error, sizeof error);
            right = text == NULL || add_text(pool, text, size);
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

static bool read_kernel(const char *folder, const struct pool *kit, struct alike_kernel *kernel) {
    char path[PATH_SIZE], error[TEXT_ERROR];
    struct pool own = {0};
    size_t length, kept = 0;
    char *text = kernel_store_path(folder, kernel->sha256, path)
                     ? file_read(path, KERNEL_LIMIT, &length, error, sizeof error)
                     : NULL;
    bool right = text == NULL || add_text(&own, text, length); /* a kernel that is gone is like no other */
    free(text);
    own.count = tidy(own.prints, own.count);
    for (size_t i = 0; i < own.count; i++)
        if (!has(kit->prints, kit->count, own.prints[i].hash))
            own.prints[kept++] = own.prints[i];
    kernel->prints = own.prints;
    kernel->print_count = kept;
    return right;
}

static bool read_all(struct gradebook *book, const char *root, const char *lab, struct alike *alike) {
    struct pool kit = {0};
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
        right = path_join(folder, root, folders[i]) && add_folder(&kit, folder, 0);
    kit.count = tidy(kit.prints, kit.count);
    path_join(folder, book->folder, "kernels");
    for (size_t i = 0; right && i < alike->count; i++)
        right = read_kernel(folder, &kit, &alike->kernels[i]);
    free(kit.prints);
    if (!right)
        snprintf(book->error, sizeof book->error, "out of memory");
    return right;
}

/* ---- pairs */

/* A fingerprint of a kernel's: (hash, kernel). */
static int by_print(const void *a, const void *b) {
    return by_hash(a, b);
}

/* shared[other * (other - 1) / 2 + one], one < other. Commonplaces are taken from the kernels. */
static bool count_shared(struct alike *alike, uint16_t *shared) {
    size_t all = 0, at = 0,
           limit = alike->count / COMMON_SHARE > COMMON_LEAST ? alike->count / COMMON_SHARE : COMMON_LEAST;
    for (size_t k = 0; k < alike->count; k++)
        all += alike->kernels[k].print_count;
    struct fingerprint *prints = calloc(all + 1, sizeof *prints);
    if (prints == NULL)
        return false;
    for (size_t k = 0; k < alike->count; k++)
        for (size_t i = 0; i < alike->kernels[k].print_count; i++)
            prints[at++] = (struct fingerprint){alike->kernels[k].prints[i].hash, (uint32_t)k};
    if (all > 1)
        qsort(prints, all, sizeof *prints, by_print);
    struct pool common = {prints, 0}; /* overwrites what was read */
    for (size_t i = 0, end; i < all; i = end) {
        for (end = i; end < all && prints[end].hash == prints[i].hash;)
            end++;
        if (end - i > limit) {
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
    for (size_t k = 0; k < alike->count; k++) {
        struct alike_kernel *kernel = &alike->kernels[k];
        size_t kept = 0;
        for (size_t i = 0; i < kernel->print_count; i++)
            if (!has(common.prints, common.count, kernel->prints[i].hash))
                kernel->prints[kept++] = kernel->prints[i];
        kernel->print_count = kept;
    }
    free(prints);
    return true;
}

static bool add_pair(struct alike *alike, size_t one, size_t other, double share) {
    if ((alike->pair_count & (alike->pair_count + 1)) == 0) { /* 0, 1, 3, 7, ...: full */
        struct alike_pair *grown = realloc(alike->pairs, (alike->pair_count * 2 + 1) * sizeof *grown);
        if (grown == NULL)
            return false;
        alike->pairs = grown;
    }
    alike->pairs[alike->pair_count++] =
        (struct alike_pair){(uint32_t)one, (uint32_t)other, (unsigned)(share * 100 + 1e-9)};
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

static bool find_pairs(struct alike *alike, const uint16_t *shared, double percent) {
    bool right = true;
    for (size_t b = 0; right && b < alike->count; b++) {
        const struct alike_kernel *mine = &alike->kernels[b];
        if (mine->print_count < OWN_LEAST)
            continue;
        if (mine->student_count > 1)
            right = add_pair(alike, b, b, 1);
        for (size_t a = 0; right && a < b; a++) {
            const struct alike_kernel *theirs = &alike->kernels[a];
            size_t least = mine->print_count < theirs->print_count ? mine->print_count : theirs->print_count;
            size_t cell = b * (b - 1) / 2 + a;
            double common = shared[cell];
            double share = theirs->print_count >= OWN_LEAST ? common / (double)least : 0;
            if (share * 100 >= percent)
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
    if (!(percent > 0))
        return true;
    if (!read_all(book, root, lab, alike)) {
        alike_free(alike);
        return false;
    }
    uint16_t *shared = calloc(alike->count * (alike->count + 1) / 2 + 1, sizeof *shared);
    bool right = shared != NULL && count_shared(alike, shared) && find_pairs(alike, shared, percent);
    free(shared);
    if (!right) {
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
        free(alike->kernels[k].prints);
    }
    free(alike->kernels);
    free(alike->pairs);
    *alike = (struct alike){0};
}

/* ---- what follows */

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

static bool tell_one(struct gradebook *book, const struct alike *alike, size_t kernel,
                     const struct alike_pair *pair, size_t others, const char *student, const char *lab) {
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
        snprintf(words, sizeof words, "Its kernel is like that of %.127s%s: %u %% (alike/%s).", name, more,
                 pair->percent, lab);
    return gradebook_do(book,
                        "UPDATE grades SET human = CASE human WHEN '' THEN ?1 ELSE human || ' ' || ?1 END"
                        " WHERE student = ?2 AND lab = ?3",
                        "sss", words, student, lab);
}

bool alike_tell(struct gradebook *book, const struct alike *alike, const char *lab,
                bool (*wanted)(const void *context, const char *student), const void *context) {
    for (size_t k = 0; k < alike->count; k++) {
        size_t others;
        const struct alike_pair *pair = best_pair(alike, k, &others);
        for (size_t s = 0; pair != NULL && s < alike->kernels[k].student_count; s++) {
            const char *student = alike->kernels[k].students[s];
            if ((wanted == NULL || wanted(context, student)) &&
                !tell_one(book, alike, k, pair, others, student, lab))
                return false;
        }
    }
    return true;
}

void alike_mark(const struct alike_kernel *kernel, const struct alike_kernel *other,
                const struct token *tokens, size_t count, bool *shared) {
    struct fingerprint *prints = NULL;
    size_t found = winnow(tokens, count, &prints);
    memset(shared, 0, count * sizeof *shared);
    for (size_t i = 0; prints != NULL && i < found; i++)
        if (has(kernel->prints, kernel->print_count, prints[i].hash) &&
            has(other->prints, other->print_count, prints[i].hash))
            for (size_t t = prints[i].token; t < count && t < prints[i].token + WINNOW_RUN; t++)
                shared[t] = true;
    free(prints);
}
