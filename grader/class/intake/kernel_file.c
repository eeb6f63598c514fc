/* kernel_file.c: kernels by the hash of their bytes; paths, part by part; two sources compared without what the compiler
 * does not read. */
#include "class/intake/kernel_file.h"

#include "base/file.h"
#include "class/intake/layout.h"

#include <ctype.h>
#include <sha2.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

_Static_assert(KERNEL_SHA256 == SHA256_DIGEST_STRING_LENGTH, "a SHA-256 in hexadecimal");

void kernel_sha256(const uint8_t *bytes, size_t size, char sha256[KERNEL_SHA256]) {
    SHA256Data(bytes, size, sha256);
}

bool kernel_store_path(const char *folder, const char *sha256, char path[PATH_SIZE]) {
    char name[KERNEL_SHA256 + 4];
    snprintf(name, sizeof name, "%s.cu", sha256);
    return path_join(path, folder, name);
}

bool kernel_store_put(const char *folder, const uint8_t *bytes, size_t size, const char sha256[KERNEL_SHA256],
                      char *error, size_t error_size) {
    struct file_output output;
    char name[KERNEL_SHA256 + 4], path[PATH_SIZE];
    if (kernel_store_path(folder, sha256, path) && access(path, R_OK) == 0)
        return true;
    snprintf(name, sizeof name, "%s.cu", sha256);
    if (!file_begin(&output, folder, name, error, error_size))
        return false;
    fwrite(bytes, 1, size, output.file);
    return file_end(&output, error, error_size);
}

const char *kernel_refusal(const uint8_t *bytes, size_t size) {
    if (size == 0)
        return "it is empty";
    if (size > KERNEL_LIMIT)
        return "it is larger than 1 MiB";
    if (size >= 2 && ((bytes[0] == 0xff && bytes[1] == 0xfe) || (bytes[0] == 0xfe && bytes[1] == 0xff)))
        return "it is UTF-16. Save it as UTF-8 and hand it in again";
    if (memchr(bytes, '\0', size) != NULL)
        return "it is not a text: it has NUL bytes";
    return NULL;
}

/* ---- the place of a file */

/* Parts of a path, one after the other: *at moves behind it. */
static bool next_part(const char **at, const char **part, size_t *length) {
    *part = *at;
    *length = strcspn(*at, "/");
    *at += *length + ((*at)[*length] == '/');
    return *length > 0;
}

static bool is_part(const char *part, size_t length, const char *name) {
    return strlen(name) == length && strncmp(part, name, length) == 0;
}

int place_rank(const char *path, bool *kit) {
    const char *at = path, *part;
    size_t length, above = 0;
    bool below_labs = false, aside = false;
    char lab[16];
    int depth_in_lab = -1;
    *kit = false;
    for (int depth = 0; next_part(&at, &part, &length); depth++) {
        bool of_lab = layout_lab(part, length, lab) && memchr(part, '-', length) != NULL;
        if (of_lab && above == 4 && strncmp(part - 5, "labs/", 5) == 0) {
            below_labs = true;
            depth_in_lab = depth;
        }
        aside =
            aside || (*at != '\0' && (is_part(part, length, "solutions") || is_part(part, length, "grader")));
        if (*at == '\0' && depth_in_lab >= 0 && depth == depth_in_lab + 1)
            *kit =
                length > 5 && strncmp(part, lab, strlen(lab)) == 0 && strcmp(part + strlen(lab), ".h") == 0;
        if (*at == '\0' && below_labs && !aside)
            return depth == depth_in_lab + 1 ? 2 : 1;
        above = length;
    }
    return aside ? 0 : 1;
}

bool place_is_odd_cuda(const char *path) {
    size_t length = strlen(path);
    if (length > 4 && strcasecmp(path + length - 4, ".txt") == 0)
        length -= 4;
    return length > 3 && strncasecmp(path + length - 3, ".cu", 3) == 0;
}

bool place_is_systems(const char *path) {
    const char *at = path, *part = path;
    size_t length;
    while (next_part(&at, &part, &length))
        if (is_part(part, length, "__MACOSX") || is_part(part, length, ".git"))
            return true;
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    return strcmp(name, ".DS_Store") == 0 || strncmp(name, "._", 2) == 0 || strcmp(name, "Thumbs.db") == 0 ||
           strcmp(name, "desktop.ini") == 0;
}

/* ---- likeness */

struct source {
    const char *text;
    size_t length, at;
    char quote;   /* of the literal that we are in; 0: none */
    bool numbers; /* each is read as 0 */
};

/* Behind a comment that begins at `at`; `at` itself where none does. */
static size_t behind_comment(const struct source *s, size_t at) {
    if (at + 1 >= s->length || s->text[at] != '/')
        return at;
    if (s->text[at + 1] == '/') {
        while (at < s->length && s->text[at] != '\n')
            at++;
        return at;
    }
    if (s->text[at + 1] != '*')
        return at;
    for (at += 2; at < s->length; at++)
        if (s->text[at - 1] == '*' && s->text[at] == '/')
            return at + 1;
    return s->length;
}

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* Past a number whose first character has been read; false: it is none. */
static bool skip_number(struct source *s) {
    if (!isdigit((unsigned char)s->text[s->at - 1]) || (s->at >= 2 && is_word(s->text[s->at - 2])))
        return false;
    while (s->at < s->length && (is_word(s->text[s->at]) || s->text[s->at] == '.'))
        s->at++;
    return true;
}

/* The next character that counts; -1 at the end. */
static int next(struct source *s) {
    while (s->at < s->length) {
        char c = s->text[s->at];
        size_t behind = s->quote == 0 ? behind_comment(s, s->at) : s->at;
        if (behind > s->at) {
            s->at = behind;
            continue;
        }
        s->at++;
        if (s->quote == 0 && isspace((unsigned char)c))
            continue;
        if (s->quote == 0 && s->numbers && skip_number(s))
            return '0';
        bool escaped = s->quote != 0 && s->at >= 2 && s->text[s->at - 2] == '\\';
        if (s->quote == 0 && (c == '"' || c == '\''))
            s->quote = c;
        else if (c == '\n' || (c == s->quote && !escaped))
            s->quote = 0;
        return (unsigned char)c;
    }
    return -1;
}

/* Bytes of UTF-8's byte order mark, which editors of Windows put first. */
static size_t mark_length(const char *text, size_t length) {
    return length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

static bool is_same(const char *one, size_t one_length, const char *other, size_t other_length,
                    bool numbers) {
    struct source a = {one, one_length, mark_length(one, one_length), 0, numbers},
                  b = {other, other_length, mark_length(other, other_length), 0, numbers};
    for (;;) {
        int mine = next(&a), theirs = next(&b);
        if (mine != theirs)
            return false;
        if (mine < 0)
            return true;
    }
}

bool likeness_same(const char *one, size_t one_length, const char *other, size_t other_length) {
    return is_same(one, one_length, other, other_length, false);
}

bool likeness_same_but_numbers(const char *one, size_t one_length, const char *other, size_t other_length) {
    return is_same(one, one_length, other, other_length, true);
}
