/* test_supervise.c: work that ends, crashes, hangs or grows, in its turn and out of it. */
#include "base/test.h"
#include "job/supervise.h"

#include <signal.h>
#include <time.h>

enum { MIB = 1 << 20 };

static enum supervise_end end_of(supervise_work *work, void *context, int *status, char why[256]) {
    why[0] = '\0';
    return supervise(work, context, status, why, 256);
}

static int returns(void *context, int supervisor) {
    int *value = context;
    bool right = supervise_turn(supervisor, 60, 600, 512 * MIB) && supervise_turn(supervisor, 0, 0, 0);
    return right ? *value : 99;
}

static void test_ends(void **state) {
    char why[256];
    int status;
    for (int value = 0; value < 3; value++) {
        assert_int_equal(end_of(returns, &value, &status, why), SUPERVISE_ENDED);
        assert_int_equal(status, value);
        assert_string_equal(why, "");
    }
}

/* That no test here comes near to; a sanitiser reserves far more than it uses. */
static uint64_t room(void) {
    return getenv("SANITIZED") != NULL ? (uint64_t)1 << 50 : 512 * (uint64_t)MIB;
}

static int hangs(void *context, int supervisor) {
    (void)context;
    supervise_turn(supervisor, 60, 0.3, room());
    while (supervise_own_bytes() > 0)
        pause();
    return 0;
}

/* It has not computed: the machine had no time for it, or the judge is wrong. Nothing follows for the submission. */
static void test_hangs(void **state) {
    char why[256];
    int status;
    assert_int_equal(end_of(hangs, NULL, &status, why), SUPERVISE_TROUBLE);
    assert_non_null(strstr(why, "the machine was too busy"));
}

/* Stopped from outside, as by a machine that has no time for it: its turn ends all the same. */
static int is_stopped(void *context, int supervisor) {
    (void)context;
    supervise_turn(supervisor, 60, 0.3, room());
    raise(SIGSTOP);
    return 0;
}

static void test_is_stopped(void **state) {
    char why[256];
    int status;
    assert_int_equal(end_of(is_stopped, NULL, &status, why), SUPERVISE_TROUBLE);
}

/* What counts is how long it computes, and not how long it waits: on a busy machine everything waits. */
static int computes_or_waits(void *context, int supervisor) {
    const bool *computes = context;
    supervise_turn(supervisor, 0.3, 600, room());
    for (struct timespec nap = {.tv_sec = 1}; *computes || nanosleep(&nap, &nap) != 0;)
        continue;
    return 7;
}

static void test_computes_or_waits(void **state) {
    char why[256];
    int status;
    bool computes = true;
    assert_int_equal(end_of(computes_or_waits, &computes, &status, why), SUPERVISE_TOO_MUCH);
    computes = false;
    assert_int_equal(end_of(computes_or_waits, &computes, &status, why), SUPERVISE_ENDED);
    assert_int_equal(status, 7);
}

/* A limit on the room is kept in its turn, and lifted after it; how much there is can be told. */
static int grows(void *context, int supervisor) {
    uint64_t before = supervise_own_bytes();
    (void)context;
    if (before == 0 || !supervise_turn(supervisor, 60, 600, before + 64 * MIB))
        return 1;
    void *much = malloc(256 * MIB), *little = malloc(32 * MIB);
    bool kept = much == NULL && little != NULL && supervise_own_bytes() >= before + 32 * MIB;
    free(much);
    free(little);
    if (!kept)
        return 2;
    if (!supervise_turn(supervisor, 0, 0, 0))
        return 3;
    much = malloc(256 * MIB);
    kept = much != NULL;
    free(much);
    return kept ? 0 : 4;
}

static void test_grows(void **state) {
    char why[256];
    int status;
    if (getenv("SANITIZED") != NULL) {
        print_message("skipped: a sanitiser reserves more than any limit\n");
        skip();
    }
    assert_int_equal(end_of(grows, NULL, &status, why), SUPERVISE_ENDED);
    assert_int_equal(status, 0);
}

/* One that cannot go on without memory ends itself: in its turn, when it was large, that is the submission's doing. */
static int grows_and_dies(void *context, int supervisor) {
    const bool *large = context;
    supervise_turn(supervisor, 60, 600, 128 * MIB);
    volatile char *room = malloc(100 * MIB);
    for (size_t i = 0; room != NULL && *large && i < 100 * (size_t)MIB; i += 4096)
        room[i] = 1;
    raise(SIGKILL);
    free((void *)room);
    return 0;
}

static void test_dies(void **state) {
    char why[256];
    int status;
    bool large = true;
    if (getenv("SANITIZED") != NULL) {
        print_message("skipped: a sanitiser reserves more than any limit, and ends in its own way\n");
        skip();
    }
    assert_int_equal(end_of(grows_and_dies, &large, &status, why), SUPERVISE_TOO_MUCH);
    assert_non_null(strstr(why, "64 MiB"));
    large = false;
    assert_int_equal(end_of(grows_and_dies, &large, &status, why), SUPERVISE_TROUBLE);
    assert_non_null(strstr(why, "signal 9"));
}

/* Out of its turn it is nobody's doing but the grader's. */
static int dies_later(void *context, int supervisor) {
    (void)context;
    supervise_turn(supervisor, 60, 600, 1);
    supervise_turn(supervisor, 0, 0, 0);
    raise(SIGKILL);
    return 0;
}

static void test_dies_later(void **state) {
    char why[256];
    int status;
    assert_int_equal(end_of(dies_later, NULL, &status, why), SUPERVISE_TROUBLE);
}

TESTS(UNIT(test_ends), UNIT(test_hangs), UNIT(test_is_stopped), UNIT(test_computes_or_waits),
      UNIT(test_grows), UNIT(test_dies), UNIT(test_dies_later))
