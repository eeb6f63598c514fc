/* fuzz_instructor.c: any bytes as the instructor's two files, overrides and regrades, taken into a gradebook with a class of two and
 * read back. */
#include "class/instructor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A gradebook in memory, with the tables of one in a file: nothing is left behind, and nothing is waited for. */
static bool open_book(struct gradebook *book) {
    char folder[] = "/tmp/fuzz_instructor.XXXXXX", file[64];
    static struct gradebook made;
    if (mkdtemp(folder) == NULL || !gradebook_open(&made, folder) ||
        sqlite3_open(":memory:", &book->database) != SQLITE_OK)
        return false;
    sqlite3_backup *copy = sqlite3_backup_init(book->database, "main", made.database, "main");
    bool right = copy != NULL && sqlite3_backup_step(copy, -1) == SQLITE_DONE;
    sqlite3_backup_finish(copy);
    gradebook_close(&made);
    snprintf(file, sizeof file, "%s/gradebook.sqlite", folder);
    return unlink(file) == 0 && rmdir(folder) == 0 && right &&
           gradebook_note_student(book, "ann", "Ann Ash", "ann@x.edu") &&
           gradebook_note_student(book, "bob", "Bob", "");
}

/* What was taken is what the header promises. */
static void check(struct gradebook *book, const char *student) {
    struct instructor_word word;
    static char text[1 << 16];
    unsigned open;
    if (!instructor_word(book, student, "lab1", &word) ||
        !instructor_regrades(book, student, "lab1", text, sizeof text, &open))
        abort();
    if (word.present && ((isfinite(word.points) && !(word.points >= 0)) ||
                         strchr(word.remark, '\n') != NULL || strchr(text, '\x1b') != NULL))
        abort();
    (void)instructor_waives(&word, "late");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct gradebook book;
    static struct plan plan;
    char path[64];
    if (book.database == NULL && !open_book(&book))
        abort();
    int file = memfd_create("words", MFD_CLOEXEC);
    if (file < 0 || write(file, data, size) != (ssize_t)size)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    for (int regrades = 0; regrades < 2; regrades++) {
        struct plan_options options = {
            .root = ".", .overrides = regrades ? NULL : path, .regrades = regrades ? path : NULL};
        plan = (struct plan){.options = &options, .book = &book};
        policy_init(&plan.policy);
        if (!gradebook_begin(&book))
            abort();
        if (!instructor_put(&plan) && (plan.error[0] == '\0' || strchr(plan.error, '\n') != NULL))
            abort(); /* refused without saying why, in one line */
        check(&book, "ann");
        gradebook_rollback(&book);
    }
    close(file);
    return 0;
}
