/* submissions.c: a download is walked twice: for its names, which say its layout, and for the kernels. */
#include "class/intake/submissions.h"

#include "class/intake/bundle.h"
#include "class/intake/draft.h"
#include "class/intake/kernel_file.h"
#include "class/intake/layout.h"
#include "class/intake/tree.h"

#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    ARCHIVE_LIMIT = 32 << 20, /* bytes of a student's archive as it was handed in */
    FILES_LIMIT = 20000,      /* of a student: what is beyond is not looked at */
    METADATA_LIMIT = 32 << 20,
};
static const struct tree_limits download_limits = {.bytes = UINT64_C(64) << 30, .entries = 4000000};
static const struct tree_limits student_limits = {.bytes = UINT64_C(256) << 20, .entries = FILES_LIMIT};

struct intake {
    const struct submissions_options *options;
    const struct layout *layout;
    bool wrapper;
    char common[LAYOUT_NAME];
    struct gradescope_metadata metadata;
    struct drafts drafts;
    char list[TREE_PATH]; /* the path of Gradescope's list */
    uint8_t *buffer;      /* KERNEL_LIMIT + 1 bytes */
    char *error;
    size_t size;
    bool failed;         /* the grader's own trouble: no memory, no disk */
    size_t student_part; /* bytes of the path that name the student: no lab is looked for there */
    bool loaded;         /* the entry's bytes are in the buffer */
    ssize_t loaded_size; /* -1: they cannot be read */
    /* while a student's archive is walked */
    const struct tree_entry *archive;
    const struct layout_student *student;
    const char *prefix;
    /* of the part that is looked at */
    char claim[TREE_PATH];
    uint64_t order;
    int64_t on_disk; /* the file's time, where nobody else has a word on it; 0: not looked at */
    bool folder;     /* the download is one */
};

static bool own_trouble(struct intake *in, const char *what) {
    if (!in->failed)
        snprintf(in->error, in->size, "%s", what);
    in->failed = true;
    return false;
}

/* What a student named: the path behind the part, maybe an archive, that names the student. */
static const char *of_student(const struct intake *in, const char *path) {
    path += in->student_part;
    return path + (*path == '/');
}

/* The lab that a path is for: the innermost folder with a lab's name, else what was asked for. "": none. */
static void lab_of(const struct intake *in, const char *path, char lab[16]) {
    char found[16];
    lab[0] = '\0';
    for (const char *at = of_student(in, path), *slash; (slash = strchr(at, '/')) != NULL; at = slash + 1)
        if (layout_lab(at, (size_t)(slash - at), found))
            strcpy(lab, found);
    if (lab[0] == '\0' && in->options->lab != NULL)
        snprintf(lab, 16, "%s", in->options->lab);
    else if (lab[0] == '\0' && layout_lab_in(in->common, found))
        strcpy(lab, found); /* the folders begin with the assignment */
}

static bool is_one(const unsigned *numbers, unsigned count, const char *lab) {
    for (unsigned i = 0; i < count; i++)
        if (strtoul(lab + 3, NULL, 10) == numbers[i])
            return true;
    return false;
}

static bool is_known(const struct intake *in, const char *lab) {
    return in->options->labs == NULL || is_one(in->options->labs, in->options->lab_count, lab);
}

/* The members of a submission, one after the other: *cursor is 0 at first. false: no more. */
static bool next_member(const struct intake *in, const struct layout_student *student, size_t *cursor,
                        struct member *member) {
    bool listed = false;
    *member = (struct member){.id = student->id, .name = student->name, .email = "", .claim = in->claim};
    if (in->layout->numbers_files && in->options->student == NULL) /* Canvas names what is late */
        member->word = student->late ? SUBMISSION_LATE : SUBMISSION_ON_TIME;
    if (!in->layout->has_list || in->options->student != NULL)
        return (*cursor)++ == 0;
    for (size_t i = 0; i < in->metadata.count; i++) {
        const struct gradescope_submitter *who = &in->metadata.items[i];
        if (strcmp(who->folder, student->id) != 0)
            continue;
        listed = true;
        if (i < *cursor)
            continue;
        *cursor = i + 1;
        member->id = *who->sid != '\0' ? who->sid : *who->email != '\0' ? who->email : who->folder;
        member->name = who->name;
        member->email = who->email;
        member->submitted = who->created;
        return true;
    }
    return !listed && (*cursor)++ == 0;
}

/* Bytes of the entry into the buffer, KERNEL_LIMIT + 1 at most, once for all members. */
static ssize_t load(struct intake *in, const struct tree_entry *entry) {
    size_t used = 0;
    for (ssize_t got = 1; !in->loaded && got > 0 && used <= KERNEL_LIMIT; used += (size_t)got) {
        got = tree_read(entry, in->buffer + used, KERNEL_LIMIT + 1 - used);
        if (got < 0) {
            in->loaded_size = -1;
            in->loaded = true;
            return -1;
        }
    }
    if (!in->loaded)
        in->loaded_size = (ssize_t)used;
    in->loaded = true;
    return in->loaded_size;
}

static const char *refusal_of(struct intake *in, const struct tree_entry *entry) {
    if (entry->kind == TREE_LINK)
        return "it is a link";
    if (entry->kind != TREE_FILE)
        return "it is not a file";
    if (entry->astray)
        return "its path leads out of the archive";
    if (entry->refusal != NULL)
        return entry->refusal;
    if (load(in, entry) < 0)
        return "it cannot be read";
    return kernel_refusal(in->buffer, (size_t)in->loaded_size);
}

/* The bytes in the buffer into the store, by their hash. */
static bool keep_bytes(struct intake *in, char sha256[KERNEL_SHA256]) {
    size_t size = (size_t)in->loaded_size;
    kernel_sha256(in->buffer, size, sha256);
    const char *store = in->options->store;
    in->failed = in->failed ||
                 (store != NULL && !kernel_store_put(store, in->buffer, size, sha256, in->error, in->size));
    return !in->failed;
}

/* When it was handed in: the platform's word, else the file's own time. */
static void set_time(const struct intake *in, const struct member *member, int64_t *submitted,
                     bool *from_file) {
    *submitted = member->submitted != 0 ? member->submitted : in->on_disk;
    *from_file = member->submitted == 0 && in->on_disk != 0;
}

static struct draft_place place_of(const struct intake *in, const struct tree_entry *entry,
                                   const char *path) {
    bool kit;
    struct draft_place place = {.rank = place_rank(of_student(in, path), &kit), .order = in->order};
    if (!in->layout->begins_with_assignment && place.rank == 1)
        place.modified = entry->modified; /* a clone's files are as old as the clone */
    return place;
}

static void take_kernel(struct intake *in, struct draft *draft, const struct member *member,
                        const struct tree_entry *entry, const char *path) {
    struct submission *out = &draft->out;
    const char *refusal = refusal_of(in, entry);
    draft->kernels++;
    if (refusal != NULL) {
        drafts_note(&in->drafts, &out->notes, "%s is not taken: %s.", path, refusal);
        if (draft->refusal[0] == '\0')
            snprintf(draft->refusal, sizeof draft->refusal, "%s", refusal);
        return;
    }
    struct draft_place place = place_of(in, entry, path);
    char sha256[KERNEL_SHA256];
    kernel_sha256(in->buffer, (size_t)in->loaded_size, sha256);
    if (!draft_is_better(draft, &place, path, sha256) || !keep_bytes(in, out->sha256))
        return;
    char *copy = strdup(path);
    if (copy == NULL) {
        own_trouble(in, "out of memory");
        return;
    }
    free(out->path);
    out->path = copy;
    out->size = (uint32_t)in->loaded_size;
    set_time(in, member, &out->submitted, &out->from_file);
    draft->place = place;
    if (!text_is_utf8(in->buffer, out->size))
        drafts_note(&in->drafts, &out->notes, "%s is not UTF-8; it is compiled as it is.", path);
}

/* Keep the first one's bytes, in case that there is no other. */
static void take_odd(struct intake *in, struct draft *draft, const struct member *member,
                     const struct tree_entry *entry, const char *path) {
    struct draft_odd *odd = &draft->odd;
    if (place_of(in, entry, path).rank == 0 || odd->count++ > 0 || !in->options->single_cu)
        return;
    const char *refusal = refusal_of(in, entry);
    if (refusal != NULL) {
        drafts_note(&in->drafts, &draft->out.notes, "%s is not taken: %s.", path, refusal);
    } else if (keep_bytes(in, odd->sha256)) {
        odd->size = (uint32_t)in->loaded_size;
        set_time(in, member, &odd->submitted, &odd->from_file);
        odd->path = strdup(path);
        in->drafts.no_memory = in->drafts.no_memory || odd->path == NULL;
    }
}

static void take_other(struct intake *in, struct draft *draft, const struct member *member,
                       const struct tree_entry *entry, const char *path) {
    if (layout_is_platforms(in->layout, of_student(in, path)))
        return;
    draft->ignored++;
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    /* a browser's second download of the same name */
    draft->out.guess = draft->out.guess || strncasecmp(name, "kernel (", 8) == 0;
    if (entry->kind == TREE_FILE && place_is_odd_cuda(path))
        take_odd(in, draft, member, entry, path);
    if (strncasecmp(name, "prediction", 10) == 0)
        drafts_note(&in->drafts, &draft->out.notes, "%s is not taken: its name has to be prediction.txt.",
                    path);
    else if (tree_is_archive(path) && in->archive != NULL)
        drafts_note(&in->drafts, &draft->out.notes, "%s is an archive in an archive: not opened.", path);
    else if (tree_is_foreign_archive(path))
        drafts_note(&in->drafts, &draft->out.notes, "%s is not opened: only .zip and .tar.gz are.", path);
    else if (draft->first_ignored == NULL || strcmp(path, draft->first_ignored) < 0) {
        free(draft->first_ignored);
        draft->first_ignored = strdup(path);
    }
}

static void take_prediction(struct intake *in, struct draft *draft, const struct tree_entry *entry,
                            const char *path) {
    struct draft_place place = place_of(in, entry, path);
    const char *refusal = refusal_of(in, entry);
    drafts_predict(&in->drafts, draft, path, &place, refusal, in->buffer, in->loaded_size);
}

/* The file of a small task, in the place of a kernel.cu. */
static void take_task(struct intake *in, struct draft *draft, const struct member *member,
                      const struct tree_entry *entry, const char *path, const char *file) {
    struct draft_place place = place_of(in, entry, path);
    int64_t submitted;
    set_time(in, member, &submitted, &draft->out.from_file);
    if (submitted > draft->out.submitted)
        draft->out.submitted = submitted;
    const char *refusal = refusal_of(in, entry);
    size_t size = refusal == NULL ? (size_t)in->loaded_size : 0;
    bundle_put(&in->drafts, draft, path, file, &place, refusal, in->buffer, size);
}

static void take_for_member(struct intake *in, const struct member *member, const struct tree_entry *entry,
                            const char *path, const char *file) {
    bool kernel = layout_is_kernel(in->layout, file);
    char lab[16];
    lab_of(in, path, lab);
    if (lab[0] == '\0') {
        in->drafts.without_lab = in->drafts.without_lab || entry->kind != TREE_FOLDER;
        if (kernel)
            drafts_stray(&in->drafts, "%s is not taken: no folder says for which lab it is.", path);
        else if (entry->kind != TREE_FOLDER)
            drafts_labless(&in->drafts, member, "");
        return;
    }
    if (in->options->lab == NULL && !is_known(in, lab)) {
        if (kernel)
            drafts_stray(&in->drafts, "%s is not taken: there is no %s.", path, lab);
        drafts_labless(&in->drafts, member, lab);
        return;
    }
    bool kit;
    place_rank(of_student(in, path), &kit);
    bool other_lab = in->options->lab != NULL && strcmp(lab, in->options->lab) != 0;
    struct draft *draft = drafts_find(&in->drafts, member, other_lab ? in->options->lab : lab);
    if (draft == NULL || entry->kind == TREE_FOLDER)
        return;
    draft->kit = draft->kit || kit;
    draft->tasks = is_one(in->options->tasks, in->options->task_count, draft->out.lab);
    if (++draft->seen > FILES_LIMIT)
        drafts_note(&in->drafts, &draft->out.notes, "More than %d files: the rest is not looked at.",
                    FILES_LIMIT);
    else if (other_lab && kernel)
        drafts_elsewhere(&in->drafts, draft, member, path, lab, is_known(in, lab));
    else if (draft->tasks && bundle_is_task(file))
        take_task(in, draft, member, entry, path, file);
    else if (kernel && !draft->tasks)
        take_kernel(in, draft, member, entry, path);
    else if (strcasecmp(file, "prediction.txt") == 0)
        take_prediction(in, draft, entry, path);
    else
        take_other(in, draft, member, entry, path);
}

static void take(struct intake *in, const struct layout_student *student, const struct tree_entry *entry,
                 const char *path, const char *file) {
    struct member member;
    in->loaded = false;
    for (size_t cursor = 0; next_member(in, student, &cursor, &member);)
        take_for_member(in, &member, entry, path, file);
}

static bool visit_inner(void *context, const struct tree_entry *entry) {
    struct intake *in = context;
    const char *slash = strrchr(entry->path, '/');
    char joined[TREE_PATH * 2], path[TREE_PATH];
    if (place_is_systems(entry->path))
        return true;
    if (entry->cut || snprintf(joined, sizeof joined, "%s/%s", in->prefix, entry->path) >= TREE_PATH) {
        drafts_stray(&in->drafts, "%s: a path in it is too long: %.60s...", in->prefix, entry->path);
        return true;
    }
    text_clean(path, sizeof path, joined);
    take(in, in->student, entry, path, slash != NULL ? slash + 1 : entry->path);
    return !in->failed && !in->drafts.no_memory;
}

static void open_archive(struct intake *in, const struct layout_student *student,
                         const struct tree_entry *entry, const char *path) {
    char trouble[256] = "", lab[16];
    int fd = -1;
    if (scratch_copy(entry, ARCHIVE_LIMIT, &fd, trouble, sizeof trouble) == SCRATCH_FAILED) {
        own_trouble(in, trouble);
        return;
    }
    struct tree_entry folder = {.path = "", .kind = TREE_FOLDER};
    take(in, student, &folder, path, ""); /* something was handed in */
    if (!in->failed && trouble[0] == '\0') {
        in->archive = entry;
        in->student = student;
        in->prefix = path;
        size_t part = in->student_part;
        /* where the archive is the part, what is in it begins behind the slash */
        in->student_part += part == strlen(path);
        tree_walk_archive(fd, &student_limits, visit_inner, in, trouble, sizeof trouble);
        in->student_part = part;
        in->archive = NULL;
    }
    close(fd);
    struct member member;
    lab_of(in, path, lab);
    for (size_t cursor = 0;
         trouble[0] != '\0' && lab[0] != '\0' && next_member(in, student, &cursor, &member);) {
        struct draft *draft = drafts_find(&in->drafts, &member, lab);
        if (draft == NULL)
            continue;
        drafts_note(&in->drafts, &draft->out.notes, "%s: %s.", path, trouble);
        if (draft->out.sha256[0] != '\0')
            drafts_stray(&in->drafts, "%s: %s. What was read before counts: ask for the archive again.", path,
                         trouble);
    }
}

/* The path without the folder around everything; NULL: it is that folder. */
static const char *inside(const struct intake *in, const char *path) {
    const char *slash = in->wrapper ? strchr(path, '/') : NULL;
    return !in->wrapper ? path : slash != NULL ? slash + 1 : NULL;
}

/* Whose a first part is, and under which claim. */
static bool whose(struct intake *in, const char *top, bool folder, struct layout_student *student) {
    if (in->options->student != NULL) {
        *student = (struct layout_student){.file = ""};
        snprintf(student->id, sizeof student->id, "%s", in->options->student);
        snprintf(in->claim, sizeof in->claim, "%s", in->options->student);
        return true;
    }
    if (!layout_read(in->layout, top, folder, in->common, student))
        return false;
    /* of a number all parts with one name are one claim; else every part is */
    snprintf(in->claim, sizeof in->claim, "%s", in->layout->by_number ? student->name : top);
    return true;
}

static bool visit(void *context, const struct tree_entry *entry) {
    struct intake *in = context;
    struct layout_student student;
    const char *path = inside(in, entry->path);
    if (entry->cut) {
        drafts_stray(&in->drafts, "%s...: the path is longer than %d bytes.", entry->path, TREE_PATH - 1);
        return !in->drafts.no_memory;
    }
    if (path == NULL || strcmp(entry->path, in->list) == 0 ||
        (in->layout->begins_with_assignment && strcmp(path, LAYOUT_SCORES) == 0))
        return true;
    char top[TREE_PATH];
    const char *slash = strchr(path, '/'), *last = strrchr(path, '/'), *file = last != NULL ? last + 1 : path;
    size_t length = slash != NULL ? (size_t)(slash - path) : strlen(path);
    snprintf(top, sizeof top, "%.*s", (int)length, path);
    in->student_part = 0;
    /* a platform's name is a student's, whatever it begins with */
    if (in->layout == layout_whole() && place_is_systems(in->options->student != NULL ? path : top))
        return true;
    if (!whose(in, top, slash != NULL || entry->kind == TREE_FOLDER, &student)) {
        if (!place_is_systems(path) && (entry->kind != TREE_FOLDER || slash == NULL))
            drafts_stray(&in->drafts, "%s belongs to no student, or to more than one.", top);
        return !in->drafts.no_memory;
    }
    in->order = student.order;
    in->on_disk = in->folder && in->layout == layout_whole() ? entry->modified : 0;
    if (in->options->student == NULL) {
        in->student_part = length + (slash != NULL);
        if (slash == NULL && student.file[0] != '\0')
            file = student.file;
        if (place_is_systems(slash != NULL ? slash + 1 : file)) { /* something was handed in */
            const struct tree_entry folder = {.path = "", .kind = TREE_FOLDER};
            take(in, &student, &folder, path, "");
            return !in->failed && !in->drafts.no_memory;
        }
    }
    if (entry->kind == TREE_FILE && !entry->astray && tree_is_archive(file))
        open_archive(in, &student, entry, path);
    else
        take(in, &student, entry, path, file);
    return !in->failed && !in->drafts.no_memory;
}

struct survey {
    struct intake *in;
    struct layout_names names;
};

/* First look: names. */
static bool survey(void *context, const struct tree_entry *entry) {
    struct survey *look = context;
    if (entry->cut && strchr(entry->path, '/') == NULL)
        return true; /* the second look tells */
    return layout_note(&look->names, entry->path, entry->kind == TREE_FOLDER) ||
           own_trouble(look->in, "out of memory");
}

/* The platform's list, and no other file of its name: a student may have brought one. */
static bool read_list(void *context, const struct tree_entry *entry) {
    struct intake *in = context;
    if (entry->kind != TREE_FILE || entry->cut || strcmp(entry->path, in->list) != 0)
        return true;
    char *text = malloc(METADATA_LIMIT);
    size_t used = 0;
    for (ssize_t got; text != NULL && used < METADATA_LIMIT &&
                      (got = tree_read(entry, text + used, METADATA_LIMIT - used)) > 0;)
        used += (size_t)got;
    if (text == NULL || !gradescope_metadata_parse(&in->metadata, text, used))
        own_trouble(in, "out of memory");
    free(text);
    return false;
}

static bool walk(struct intake *in, const char *path, tree_visitor *visitor, void *context) {
    return tree_walk(path, &download_limits, visitor, context, in->error, in->size) && !in->failed;
}

static bool find_layout(struct intake *in, const char *path, const char *title, struct layout_names *names) {
    struct stat status;
    in->folder = stat(path, &status) != 0 || S_ISDIR(status.st_mode);
    if (in->options->student != NULL) {
        in->layout = layout_whole();
        return true;
    }
    in->layout = layout_detect(names, title, !in->folder, &in->wrapper, in->common, in->error, in->size);
    if (in->layout != NULL && in->layout->has_list)
        snprintf(in->list, sizeof in->list, "%s%s%s", in->wrapper ? names->tops.parts[0].name : "",
                 in->wrapper ? "/" : "", LAYOUT_LIST);
    return in->layout != NULL;
}

bool submissions_read(const char *path, const struct submissions_options *options,
                      struct submissions *submissions, char *error, size_t size) {
    struct intake in = {.options = options, .error = error, .size = size, .buffer = malloc(KERNEL_LIMIT + 1)};
    struct survey look = {.in = &in};
    *submissions = (struct submissions){0};
    char title[PATH_SIZE], copy[PATH_SIZE];
    snprintf(copy, sizeof copy, "%s", path);
    snprintf(title, sizeof title, "%s", basename(copy)); /* without a slash at its end */
    if (in.buffer == NULL)
        own_trouble(&in, "out of memory");
    bool right = !in.failed && walk(&in, path, survey, &look);
    right = right && find_layout(&in, path, title, &look.names);
    layout_free(&look.names);
    right = right && (!in.layout->has_list || walk(&in, path, read_list, &in)) && walk(&in, path, visit, &in);
    right = right && drafts_have_lab(&in.drafts, path, error, size);
    right = bundle_keep(&in.drafts, options->store, error, size) && right;
    if (!drafts_end(&in.drafts, submissions))
        own_trouble(&in, "out of memory");
    submissions->layout = in.layout;
    free(in.buffer);
    gradescope_metadata_free(&in.metadata);
    if (right && !in.failed)
        return true;
    submissions_free(submissions);
    return false;
}
