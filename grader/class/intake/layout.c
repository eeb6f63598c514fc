/* layout.c: the learning platforms, a row each: how to know a download of it, and what its names
 * say. */
#include "class/intake/layout.h"

#include "class/intake/tree.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What operating systems leave behind. */
static bool system_name(const char *name, size_t length, bool folder) {
    static const char *const names[] = {"__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && strncmp(name, names[i], length) == 0)
            return true;
    return !folder && length >= 2 && strncmp(name, "._", 2) == 0;
}

static void free_list(struct layout_list *list) {
    for (size_t i = 0; i < list->count; i++)
        free(list->parts[i].name);
    free(list->parts);
    *list = (struct layout_list){0};
}

/* Walks go folder by folder, mostly: the same name comes in a row. Others that are the same are
 * found at the end. */
static bool add_part(struct layout_list *list, const char *name, size_t length, bool folder) {
    struct layout_part *last = list->count > 0 ? &list->parts[list->count - 1] : NULL;
    if (last != NULL && strlen(last->name) == length && strncmp(last->name, name, length) == 0) {
        last->folder = last->folder || folder;
        return true;
    }
    if (list->count == list->room) {
        size_t room = list->room == 0 ? 64 : list->room * 2;
        struct layout_part *grown = realloc(list->parts, room * sizeof *grown);
        if (grown == NULL)
            return false;
        list->parts = grown;
        list->room = room;
    }
    char *copy = strndup(name, length);
    if (copy == NULL)
        return false;
    list->parts[list->count++] = (struct layout_part){.name = copy, .folder = folder};
    return true;
}

bool layout_note(struct layout_names *names, const char *path, bool folder) {
    size_t top = strcspn(path, "/");
    const char *rest = path[top] == '/' ? path + top + 1 : NULL;
    size_t second = rest != NULL ? strcspn(rest, "/") : 0;
    if (system_name(path, top, folder || rest != NULL))
        return true;
    if (!add_part(&names->tops, path, top, folder || rest != NULL))
        return false;
    if (names->tops.count > 1)
        free_list(&names->seconds);
    return rest == NULL || names->tops.count > 1 ||
           system_name(rest, second, folder || rest[second] == '/') ||
           add_part(&names->seconds, rest, second, folder || rest[second] == '/');
}

void layout_free(struct layout_names *names) {
    free_list(&names->tops);
    free_list(&names->seconds);
}

/* ---- what a platform's names say */

/* A text of `length` bytes as an id or a name; false: it is too long to be kept whole, or empty. */
static bool keep(char to[LAYOUT_NAME], const char *from, size_t length) {
    if (length == 0 || length >= LAYOUT_NAME)
        return false;
    memcpy(to, from, length);
    to[length] = '\0';
    return true;
}

/* Does "_123_" stand in it? Canvas puts none into a name. */
static bool has_number(const char *text, size_t length) {
    for (size_t i = 0; i + 2 < length; i++) {
        size_t digits = text[i] == '_' ? strspn(text + i + 1, "0123456789") : 0;
        if (digits > 0 && i + 1 + digits < length && text[i + 1 + digits] == '_')
            return true;
    }
    return false;
}

/* The name ends at `name`: "_123_456_kernel.cu" or "_LATE_123_456_kernel.cu" follows. */
static bool read_canvas_at(const char *part, size_t name, struct layout_student *student) {
    const char *at = part + name + 1;
    student->late = strncmp(at, "LATE_", 5) == 0;
    if (student->late)
        at += 5;
    size_t user = strspn(at, "0123456789");
    if (user == 0 || at[user] != '_' || user > 20)
        return false;
    const char *number = at + user + 1;
    size_t length = strspn(number, "0123456789");
    if (length == 0 || length > 18 || number[length] != '_' || number[length + 1] == '\0' ||
        has_number(part, name) || !keep(student->name, part, name) || !keep(student->id, at, user))
        return false;
    student->order = strtoull(number, NULL, 10);
    student->file = number + length + 1;
    return true;
}

/* doejane_123_456_kernel.cu: the name, LATE or nothing, two numbers, the file. A name or a
 * file's name may look so itself: what can be read in two ways is read in none. */
static bool read_canvas(const char *part, bool folder, const char *common, struct layout_student *student) {
    unsigned readings = 0;
    (void)common;
    for (const char *at = part; !folder && (at = strchr(at, '_')) != NULL; at++) {
        struct layout_student found = {.id = ""};
        if (!read_canvas_at(part, (size_t)(at - part), &found))
            continue;
        /* "x_LATE_1_2_f": LATE is not part of the name */
        if (readings > 0 && strcmp(found.id, student->id) == 0 && found.file == student->file)
            continue;
        *student = found;
        readings++;
    }
    return readings == 1;
}

/* "_123_assignsubmission_file_" at `at`: its length, 0 when it is not there. */
static size_t moodle_mark(const char *at, const char **number) {
    static const char marker[] = "_assignsubmission_";
    size_t digits = *at == '_' ? strspn(at + 1, "0123456789") : 0;
    const char *rest = at + 1 + digits;
    if (digits == 0 || digits > 20 || strncmp(rest, marker, sizeof marker - 1) != 0)
        return 0;
    rest += sizeof marker - 1;
    size_t kind = strspn(rest, "abcdefghijklmnopqrstuvwxyz");
    *number = at + 1;
    return kind > 0 ? (size_t)(rest + kind - at) : 0;
}

/* "Jane Doe_123_assignsubmission_file_", with a file's name after it where no folders were made.
 * Moodle's own words end a folder's name: the last are meant. In a file's name they stand
 * between two texts of the student's: where they come twice, nobody is meant. */
static bool read_moodle(const char *part, bool folder, const char *common, struct layout_student *student) {
    const char *found = NULL, *number = NULL, *end = NULL;
    unsigned marks = 0;
    (void)common;
    for (const char *at = part; (at = strchr(at, '_')) != NULL; at++) {
        const char *digits;
        size_t length = moodle_mark(at, &digits);
        if (length == 0)
            continue;
        marks++;
        found = at;
        number = digits;
        end = at + length;
    }
    if (found == NULL ||
        (folder ? strcmp(end, "_") != 0 && *end != '\0' : marks > 1 || (*end != '_' && *end != '\0')) ||
        !keep(student->name, part, (size_t)(found - part)) ||
        !keep(student->id, number, strspn(number, "0123456789")))
        return false;
    student->file = *end == '_' ? end + 1 : end;
    return true;
}

static bool read_gradescope(const char *part, bool folder, const char *common,
                            struct layout_student *student) {
    (void)common;
    return folder && strncmp(part, "submission_", 11) == 0 && part[11] != '\0' &&
           part[11 + strspn(part + 11, "0123456789")] == '\0' && keep(student->id, part, strlen(part));
}

static bool read_clone(const char *part, bool folder, const char *common, struct layout_student *student) {
    size_t shared = strlen(common);
    return folder && shared > 0 && strncmp(part, common, shared) == 0 &&
           keep(student->id, part + shared, strlen(part + shared));
}

static size_t without_archive_end(const char *part) {
    static const char *const ends[] = {".tar.gz",  ".tgz",     ".tar", ".zip",  ".tar.xz",
                                       ".tar.bz2", ".tar.zst", ".7z",  ".rar",  ".xz",
                                       ".bz2",     ".zst",     ".gz",  ".lzma", ".zipx"};
    size_t length = strlen(part);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        size_t end = strlen(ends[i]);
        if (length > end && strcasecmp(part + length - end, ends[i]) == 0)
            return length - end;
    }
    return length;
}

static bool read_plain(const char *part, bool folder, const char *common, struct layout_student *student) {
    (void)common;
    if (!folder && !tree_is_archive(part) && !tree_is_foreign_archive(part))
        return false;
    return keep(student->id, part, folder ? strlen(part) : without_archive_end(part));
}

bool layout_read(const struct layout *layout, const char *part, bool folder, const char *common,
                 struct layout_student *student) {
    *student = (struct layout_student){.file = ""};
    return layout->read(part, folder, common, student);
}

/* ---- whose download is it? */

/* Most of what is there: one student's name decides nothing. */
static bool reads_most(const struct layout_census *census) {
    return census->read * 2 > census->files + census->folders;
}

static bool is_gradescope(const struct layout_census *census) {
    return census->list || (census->read > 0 && census->read == census->folders);
}

static bool is_plain(const struct layout_census *census) {
    (void)census;
    return true;
}

/* The first whose download it is. */
static const struct layout layouts[] = {
    {.title = "Gradescope", .read = read_gradescope, .detect = is_gradescope, .has_list = true},
    {.title = "Moodle", .read = read_moodle, .detect = reads_most, .by_number = true},
    {.title = "Canvas", .read = read_canvas, .detect = reads_most, .numbers_files = true, .by_number = true},
    {.title = "Classroom 50",
     .read = read_clone,
     .detect = reads_most,
     .begins_with_assignment = true,
     .column = "github username"},
    {.title = "a folder or archive per student", .read = read_plain, .detect = is_plain},
};
enum { LAYOUTS = sizeof layouts / sizeof *layouts };
static const struct layout *const plain = &layouts[LAYOUTS - 1];

const struct layout *layout_platform(unsigned index) {
    return index < LAYOUTS - 1 ? &layouts[index] : NULL;
}

const struct layout *layout_whole(void) {
    return plain;
}

/* Classroom 50's tool makes
 * CLASSROOM-ASSIGNMENT_submissions_2026_03_01_T_12_00_00/CLASSROOM-ASSIGNMENT-username; GitHub
 * Classroom's made ASSIGNMENT-submissions/ASSIGNMENT-username. What stands before the username,
 * "" for another title. */
static void common_of(const char *title, char common[LAYOUT_NAME]) {
    static const char word[] = "submissions";
    size_t length = without_archive_end(title);
    common[0] = '\0';
    for (const char *at = title; (at = strstr(at, word)) != NULL; at++) {
        size_t before = (size_t)(at - title), after = before + sizeof word - 1;
        bool last = after == length && before > 1 && at[-1] == '-';
        bool stamped =
            before > 1 && at[-1] == '_' && title[after] == '_' && isdigit((unsigned char)title[after + 1]);
        if ((last || stamped) && before < LAYOUT_NAME)
            snprintf(common, LAYOUT_NAME, "%.*s-", (int)before - 1, title);
    }
}

static const struct layout *detect_in(const struct layout_list *list, const char *title,
                                      char common[LAYOUT_NAME], const struct layout **other) {
    const struct layout *found = NULL;
    common_of(title, common);
    *other = NULL;
    for (unsigned l = 0; l < LAYOUTS; l++) {
        struct layout_census census = {.title = title};
        for (size_t i = 0; i < list->count; i++) {
            const struct layout_part *part = &list->parts[i];
            struct layout_student student;
            bool reads = layout_read(&layouts[l], part->name, part->folder, common, &student);
            census.list = census.list || (!part->folder && strcmp(part->name, LAYOUT_LIST) == 0);
            census.files += !part->folder;
            census.folders += part->folder;
            census.read += reads;
        }
        if (!layouts[l].detect(&census))
            continue;
        if (found == NULL)
            found = &layouts[l];
        else if (*other == NULL && &layouts[l] != plain && found->by_number && layouts[l].by_number)
            *other = &layouts[l];
    }
    if (found == NULL || !found->begins_with_assignment)
        common[0] = '\0';
    return found;
}

/* Gradescope's assignment_123_export, Classroom 50's CLASSROOM-ASSIGNMENT_submissions_...:
 * folders that a platform makes around a class. */
static bool platforms_folder(const char *name, const struct layout *inner) {
    size_t digits = strncmp(name, "assignment_", 11) == 0 ? strspn(name + 11, "0123456789") : 0;
    return (inner->has_list && digits > 0 && strcmp(name + 11 + digits, "_export") == 0) ||
           inner->begins_with_assignment;
}

/* Everything lies in one folder: is it a student's, or does it hold the class? What lies in it
 * may not say: it may be a student's. Its name may, and where that says nothing and it could be
 * both, nobody is graded. */
static const struct layout *look_inside(const struct layout_names *names, const char *title, bool archive,
                                        bool *wrapper, char common[LAYOUT_NAME], char *error, size_t size) {
    const struct layout *other;
    const char *top = names->tops.parts[0].name;
    const struct layout *inner = detect_in(&names->seconds, top, common, &other);
    size_t students = 0, stem = without_archive_end(title);
    bool own = false; /* a kernel.cu or a lab's folder lies in it: a student's */
    for (size_t i = 0; i < names->seconds.count; i++) {
        const struct layout_part *part = &names->seconds.parts[i];
        char lab[16];
        own = own || strcasecmp(part->name, "kernel.cu") == 0 ||
              layout_lab(part->name, strlen(part->name), lab);
        students += part->folder || tree_is_archive(part->name);
    }
    bool named_so = archive && strlen(top) == stem && strncmp(top, title, stem) == 0;
    *wrapper =
        platforms_folder(top, inner) || (named_so && !own && students > 0) || (named_so && inner != plain);
    if (*wrapper)
        return other == NULL ? inner : NULL;
    common[0] = '\0';
    if (inner == plain && (own || students < 2))
        return plain;
    snprintf(
        error, size,
        "everything lies in one folder, %.100s: is it a student's, or does it hold the class? If the class, give "
        "that folder%s; if a student's, add STUDENT=name",
        top, archive ? ", unpacked" : " itself");
    return NULL;
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct layout_part *)a)->name, ((const struct layout_part *)b)->name);
}

/* Sorted, each name once. */
static void tidy(struct layout_list *list) {
    size_t kept = 0;
    if (list->count > 1)
        qsort(list->parts, list->count, sizeof *list->parts, by_name);
    for (size_t i = 0; i < list->count; i++) {
        struct layout_part *last = kept > 0 ? &list->parts[kept - 1] : NULL;
        if (last == NULL || strcmp(last->name, list->parts[i].name) != 0) {
            list->parts[kept++] = list->parts[i];
            continue;
        }
        last->folder = last->folder || list->parts[i].folder;
        free(list->parts[i].name);
    }
    list->count = kept;
}

/* scores.csv beside folders that all begin with the same CLASSROOM-ASSIGNMENT-. */
static bool has_scores(const struct layout_list *list) {
    bool scores = false;
    const char *first = NULL;
    size_t common = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct layout_part *part = &list->parts[i];
        scores = scores || (!part->folder && strcmp(part->name, LAYOUT_SCORES) == 0);
        if (!part->folder)
            continue;
        if (first == NULL) {
            first = part->name;
            const char *dash = strchr(first, '-'), *second = dash != NULL ? strchr(dash + 1, '-') : NULL;
            common = second != NULL ? (size_t)(second + 1 - first) : 0;
        }
        if (common == 0 || strncmp(part->name, first, common) != 0)
            return false;
    }
    return scores && first != NULL;
}

const struct layout *layout_detect(struct layout_names *names, const char *title, bool archive, bool *wrapper,
                                   char common[LAYOUT_NAME], char *error, size_t size) {
    const struct layout *other = NULL;
    *wrapper = false;
    *error = '\0';
    tidy(&names->tops);
    tidy(&names->seconds);
    const struct layout *layout = detect_in(&names->tops, title, common, &other);
    if (layout == plain && has_scores(&names->tops)) {
        snprintf(
            error, size,
            "%.100s has Classroom 50's scores.csv and another name than gh teacher download gives: what stands "
            "before the usernames? Rename it to CLASSROOM-ASSIGNMENT-submissions",
            title);
        return NULL;
    }
    if (layout == plain && names->tops.count == 1 && names->tops.parts[0].folder)
        layout = look_inside(names, title, archive, wrapper, common, error, size);
    if (other == NULL && (layout != NULL || *error != '\0'))
        return layout;
    snprintf(
        error, size,
        "the names in %.100s can be read in two ways, as Moodle's and as Canvas's: rename them, or grade these "
        "students one by one with STUDENT=name",
        title);
    return NULL;
}

bool layout_is_platforms(const struct layout *layout, const char *path) {
    return layout->begins_with_assignment &&
           (strcmp(path, ".classroom50.yaml") == 0 || strcmp(path, "result.json") == 0 ||
            strcmp(path, "results.json") == 0 || strncmp(path, ".github/", 8) == 0);
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
    if (length < 4 || strncasecmp(part, "lab", 3) != 0)
        return false;
    size_t first = 3 + (strchr(" _-", part[3]) != NULL), end = first;
    while (end < length && isdigit((unsigned char)part[end]))
        end++;
    if (end == first || end > first + 3 || (end < length && strchr(" _-", part[end]) == NULL))
        return false;
    snprintf(lab, 16, "lab%d", atoi(part + first));
    return true;
}

bool layout_lab_in(const char *common, char lab[16]) {
    for (const char *word = common; *word != '\0'; word += strspn(word, "-")) {
        size_t length = strcspn(word, "-");
        if (layout_lab(word, length, lab))
            return true;
        word += length;
    }
    return false;
}
