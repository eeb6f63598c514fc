/* layout.c: the learning platforms, a row each: how to know a download of it, and what its names say. */
#include "class/intake/layout.h"

#include "class/intake/tree.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LAYOUT_PAIRS = 20000 }; /* more names than this add nothing to what is known */

static bool same(const char *a, const char *b) {
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

bool layout_note(struct layout_names *names, const char *path, bool folder) {
    const char *slash = strchr(path, '/');
    size_t top = slash != NULL ? (size_t)(slash - path) : strlen(path);
    const char *rest = slash != NULL ? slash + 1 : NULL;
    size_t second = rest != NULL ? strcspn(rest, "/") : 0;
    if (names->count >= LAYOUT_PAIRS)
        return true;
    struct layout_pair pair = {.top = strndup(path, top),
                               .second = rest != NULL ? strndup(rest, second) : NULL};
    pair.folder = folder || (rest != NULL && rest[second] == '/');
    if (pair.top == NULL || (rest != NULL && pair.second == NULL)) {
        free(pair.top);
        free(pair.second);
        return false;
    }
    /* walks go folder by folder: the same pair comes in a row */
    struct layout_pair *last = names->count > 0 ? &names->pairs[names->count - 1] : NULL;
    if (last != NULL && same(last->top, pair.top) && same(last->second, pair.second)) {
        free(pair.top);
        free(pair.second);
        return true;
    }
    if (names->count == names->room) {
        size_t room = names->room == 0 ? 64 : names->room * 2;
        struct layout_pair *grown = realloc(names->pairs, room * sizeof *grown);
        if (grown == NULL) {
            free(pair.top);
            free(pair.second);
            return false;
        }
        names->pairs = grown;
        names->room = room;
    }
    names->pairs[names->count++] = pair;
    return true;
}

void layout_free(struct layout_names *names) {
    for (size_t i = 0; i < names->count; i++) {
        free(names->pairs[i].top);
        free(names->pairs[i].second);
    }
    free(names->pairs);
    *names = (struct layout_names){0};
}

/* ---- what a platform's names say */

/* doejane_123_456_kernel.cu: the name, LATE or nothing, two numbers, the file. */
static bool read_canvas(const char *part, bool folder, const char *common, struct layout_student *student) {
    size_t name = strcspn(part, "_");
    (void)common;
    if (folder || name == 0 || part[name] == '\0' || name >= LAYOUT_NAME)
        return false;
    const char *at = part + name + 1;
    student->late = strncmp(at, "LATE_", 5) == 0;
    if (student->late)
        at += 5;
    size_t user = strspn(at, "0123456789");
    if (user == 0 || at[user] != '_' || user > 20)
        return false;
    const char *number = at + user + 1;
    size_t length = strspn(number, "0123456789");
    if (length == 0 || number[length] != '_' || number[length + 1] == '\0')
        return false;
    snprintf(student->name, sizeof student->name, "%.*s", (int)name, part);
    snprintf(student->id, sizeof student->id, "%.*s", (int)user, at);
    snprintf(student->file, sizeof student->file, "%s", number + length + 1);
    return true;
}

/* "Jane Doe_123_assignsubmission_file_", with a file's name after it where no folders were made. */
static bool read_moodle(const char *part, bool folder, const char *common, struct layout_student *student) {
    static const char marker[] = "_assignsubmission_file";
    (void)folder, (void)common;
    const char *found = strstr(part, marker);
    if (found == NULL)
        return false;
    const char *number = found;
    while (number > part && isdigit((unsigned char)number[-1]))
        number--;
    if (number == found || number - part < 2 || number[-1] != '_' || found - part >= LAYOUT_NAME)
        return false;
    snprintf(student->name, sizeof student->name, "%.*s", (int)(number - 1 - part), part);
    snprintf(student->id, sizeof student->id, "%.*s", (int)(found - number), number);
    found += sizeof marker - 1;
    snprintf(student->file, sizeof student->file, "%s", *found == '_' ? found + 1 : found);
    return true;
}

static bool read_gradescope(const char *part, bool folder, const char *common,
                            struct layout_student *student) {
    (void)common;
    snprintf(student->id, sizeof student->id, "%s", part);
    return folder && strncmp(part, "submission_", 11) == 0 && part[11] != '\0' &&
           part[11 + strspn(part + 11, "0123456789")] == '\0';
}

static bool read_github(const char *part, bool folder, const char *common, struct layout_student *student) {
    if (!folder || strlen(part) <= strlen(common))
        return false;
    snprintf(student->id, sizeof student->id, "%s", part + strlen(common));
    return true;
}

static void without_archive_end(const char *part, char *to) {
    static const char *const ends[] = {".tar.gz", ".tgz", ".tar", ".zip"};
    snprintf(to, LAYOUT_NAME, "%s", part);
    size_t length = strlen(to);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        size_t end = strlen(ends[i]);
        if (length > end && strcasecmp(to + length - end, ends[i]) == 0) {
            to[length - end] = '\0';
            return;
        }
    }
}

static bool read_plain(const char *part, bool folder, const char *common, struct layout_student *student) {
    (void)common;
    if (!folder && !tree_is_archive(part) && !tree_is_foreign_archive(part))
        return false;
    if (folder)
        snprintf(student->id, sizeof student->id, "%s", part);
    else
        without_archive_end(part, student->id);
    return true;
}

bool layout_read(const struct layout *layout, const char *part, bool folder, const char *common,
                 struct layout_student *student) {
    *student = (struct layout_student){0};
    return layout->read(part, folder, common, student);
}

/* ---- whose download is it? */

static bool is_moodle(const struct layout_census *census) {
    return census->read > 0;
}

static bool is_gradescope(const struct layout_census *census) {
    return census->list || (census->read > 0 && census->read == census->folders);
}

static bool is_canvas(const struct layout_census *census) {
    return census->read > 0 && census->read * 2 > census->files;
}

static bool is_github(const struct layout_census *census) {
    size_t length = strlen(census->title);
    return census->clones > 0 ||
           (census->folders > 0 && length > 12 && strcmp(census->title + length - 12, "-submissions") == 0);
}

static bool is_plain(const struct layout_census *census) {
    (void)census;
    return true;
}

/* The first whose download it is. */
static const struct layout layouts[] = {
    {.title = "Moodle", .read = read_moodle, .detect = is_moodle},
    {.title = "Gradescope", .read = read_gradescope, .detect = is_gradescope, .has_list = true},
    {.title = "Canvas", .read = read_canvas, .detect = is_canvas, .numbers_files = true},
    {.title = "GitHub Classroom", .read = read_github, .detect = is_github, .begins_with_assignment = true},
    {.title = "a folder or archive per student", .read = read_plain, .detect = is_plain},
};
enum { LAYOUTS = sizeof layouts / sizeof *layouts };
static const struct layout *const plain = &layouts[LAYOUTS - 1];

const struct layout *layout_platform(unsigned index) {
    return index < LAYOUTS - 1 ? &layouts[index] : NULL;
}

static bool system_name(const char *name) {
    return strcmp(name, "__MACOSX") == 0 || strcmp(name, ".DS_Store") == 0 || strncmp(name, "._", 2) == 0;
}

/* The part of a pair that stands for the student's. */
static const char *student_part(const struct layout_pair *pair, bool wrapper, bool *folder) {
    const char *part = wrapper ? pair->second : pair->top;
    *folder = pair->folder || (!wrapper && pair->second != NULL);
    return part != NULL && system_name(part) ? NULL : part;
}

void layout_common(const struct layout_names *names, bool wrapper, char common[LAYOUT_NAME]) {
    bool first = true;
    common[0] = '\0';
    for (size_t i = 0; i < names->count; i++) {
        bool folder;
        const char *part = student_part(&names->pairs[i], wrapper, &folder);
        if (part == NULL || !folder)
            continue;
        if (first)
            snprintf(common, LAYOUT_NAME, "%s", part);
        first = false;
        size_t shared = 0;
        while (common[shared] != '\0' && common[shared] == part[shared])
            shared++;
        common[shared] = '\0';
    }
    /* one clone alone: the assignment is what stands before the first '-' */
    char *dash = strrchr(common, '-');
    if (dash != NULL)
        dash[1] = '\0';
    else
        common[0] = '\0';
}

static const struct layout *detect_at(const struct layout_names *names, const char *title, bool wrapper) {
    struct layout_census census[LAYOUTS] = {{0}};
    for (size_t i = 0; i < names->count; i++) {
        bool folder;
        const char *part = student_part(&names->pairs[i], wrapper, &folder), *second = names->pairs[i].second;
        for (unsigned l = 0; part != NULL && l < LAYOUTS; l++) {
            struct layout_student student;
            census[l].list = census[l].list || strcmp(part, LAYOUT_LIST) == 0;
            census[l].files += !folder;
            census[l].folders += folder;
            census[l].clones += !wrapper && second != NULL && strcmp(second, ".git") == 0;
            census[l].read += layout_read(&layouts[l], part, folder, "", &student);
        }
    }
    const struct layout *layout = NULL;
    for (unsigned l = 0; layout == NULL; l++) {
        census[l].title = title;
        layout = layouts[l].detect(&census[l]) ? &layouts[l] : NULL;
    }
    return layout;
}

const struct layout *layout_detect(const struct layout_names *names, const char *title, bool *wrapper) {
    *wrapper = false;
    const struct layout *layout = detect_at(names, title, false);
    if (layout != plain)
        return layout;
    /* everything in one folder? */
    const char *top = NULL;
    size_t students = 0;
    char lab[16];
    for (size_t i = 0; i < names->count; i++) {
        const struct layout_pair *pair = &names->pairs[i];
        if (system_name(pair->top))
            continue;
        if (top != NULL && strcmp(top, pair->top) != 0)
            return plain;
        top = pair->top;
        if (pair->second == NULL || system_name(pair->second))
            continue;
        if (strcasecmp(pair->second, "kernel.cu") == 0 || layout_lab(pair->second, strlen(pair->second), lab))
            return plain;
        students += pair->folder || tree_is_archive(pair->second);
    }
    if (top == NULL)
        return plain;
    layout = detect_at(names, top, true);
    *wrapper = layout != plain || students > 1;
    return layout;
}

bool layout_is_kernel(const struct layout *layout, const char *file) {
    if (strcasecmp(file, "kernel.cu") == 0)
        return true;
    if (!layout->numbers_files || strncasecmp(file, "kernel-", 7) != 0)
        return false;
    size_t digits = strspn(file + 7, "0123456789");
    return digits > 0 && strcasecmp(file + 7 + digits, ".cu") == 0;
}

bool layout_lab(const char *part, size_t length, char lab[16]) {
    size_t digits = 0;
    if (length < 4 || strncasecmp(part, "lab", 3) != 0)
        return false;
    while (3 + digits < length && isdigit((unsigned char)part[3 + digits]))
        digits++;
    if (digits == 0 || digits > 3 || (3 + digits < length && part[3 + digits] != '-'))
        return false;
    snprintf(lab, 16, "lab%d", atoi(part + 3));
    return true;
}
