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

const char *layout_title(enum layout layout) {
    static const char *const titles[LAYOUT_COUNT] = {[LAYOUT_PLAIN] = "a folder or archive per student",
                                                     [LAYOUT_GRADESCOPE] = "Gradescope",
                                                     [LAYOUT_MOODLE] = "Moodle",
                                                     [LAYOUT_CANVAS] = "Canvas",
                                                     [LAYOUT_GITHUB] = "GitHub Classroom"};
    return titles[layout];
}

/* doejane_123_456_kernel.cu: the name, LATE or nothing, two numbers, the file. */
static bool read_canvas(const char *part, struct layout_student *student) {
    size_t name = strcspn(part, "_");
    if (name == 0 || part[name] == '\0' || name >= LAYOUT_NAME)
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
static bool read_moodle(const char *part, struct layout_student *student) {
    static const char marker[] = "_assignsubmission_file";
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

static bool read_gradescope(const char *part) {
    return strncmp(part, "submission_", 11) == 0 && part[11] != '\0' &&
           part[11 + strspn(part + 11, "0123456789")] == '\0';
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

bool layout_read(enum layout layout, const char *part, bool folder, const char *common,
                 struct layout_student *student) {
    *student = (struct layout_student){0};
    switch (layout) {
    case LAYOUT_CANVAS: return !folder && read_canvas(part, student);
    case LAYOUT_MOODLE: return read_moodle(part, student);
    case LAYOUT_GRADESCOPE:
        snprintf(student->id, sizeof student->id, "%s", part);
        return folder && read_gradescope(part);
    case LAYOUT_GITHUB:
        if (!folder || strlen(part) <= strlen(common))
            return false;
        snprintf(student->id, sizeof student->id, "%s", part + strlen(common));
        return true;
    default: break;
    }
    if (!folder && !tree_is_archive(part) && !tree_is_foreign_archive(part))
        return false;
    if (folder)
        snprintf(student->id, sizeof student->id, "%s", part);
    else
        without_archive_end(part, student->id);
    return true;
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

static bool ends_with_submissions(const char *name) {
    size_t length = strlen(name);
    return length > 12 && strcmp(name + length - 12, "-submissions") == 0;
}

static enum layout detect_at(const struct layout_names *names, const char *title, bool wrapper) {
    struct layout_student student;
    size_t files = 0, canvas = 0, gradescope = 0, folders = 0, repositories = 0;
    bool metadata = false;
    for (size_t i = 0; i < names->count; i++) {
        bool folder;
        const char *part = student_part(&names->pairs[i], wrapper, &folder);
        if (part == NULL)
            continue;
        if (read_moodle(part, &student))
            return LAYOUT_MOODLE;
        metadata = metadata || strcmp(part, "submission_metadata.yml") == 0;
        files += !folder;
        folders += folder;
        canvas += !folder && read_canvas(part, &student);
        gradescope += folder && read_gradescope(part);
        repositories +=
            !wrapper && names->pairs[i].second != NULL && strcmp(names->pairs[i].second, ".git") == 0;
    }
    if (metadata || (gradescope > 0 && gradescope == folders))
        return LAYOUT_GRADESCOPE;
    if (canvas > 0 && canvas * 2 > files)
        return LAYOUT_CANVAS;
    if (repositories > 0 || (folders > 0 && ends_with_submissions(title)))
        return LAYOUT_GITHUB;
    return LAYOUT_PLAIN;
}

enum layout layout_detect(const struct layout_names *names, const char *title, bool *wrapper) {
    *wrapper = false;
    enum layout layout = detect_at(names, title, false);
    if (layout != LAYOUT_PLAIN)
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
            return LAYOUT_PLAIN;
        top = pair->top;
        if (pair->second == NULL || system_name(pair->second))
            continue;
        if (strcasecmp(pair->second, "kernel.cu") == 0 || layout_lab(pair->second, strlen(pair->second), lab))
            return LAYOUT_PLAIN;
        students += pair->folder || tree_is_archive(pair->second);
    }
    if (top == NULL)
        return LAYOUT_PLAIN;
    layout = detect_at(names, top, true);
    *wrapper = layout != LAYOUT_PLAIN || students > 1;
    return layout;
}

bool layout_is_kernel(enum layout layout, const char *file) {
    if (strcasecmp(file, "kernel.cu") == 0)
        return true;
    if (layout != LAYOUT_CANVAS || strncasecmp(file, "kernel-", 7) != 0)
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
