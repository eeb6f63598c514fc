/* test.h: CMocka with the headers that it needs, and the C library's usual ones, for every test. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* CMocka hands a state to each test; few tests use it. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* A program of tests, at its end: TESTS(UNIT(one), UNIT(other)). TESTS_BETWEEN: between a set-up and a tear-down for all. */
#define UNIT(name) cmocka_unit_test(name)
#define TESTS(...) TESTS_BETWEEN(NULL, NULL, __VA_ARGS__)
#define TESTS_BETWEEN(set_up, tear_down, ...)                                                                \
    int main(void) {                                                                                         \
        const struct CMUnitTest tests[] = {__VA_ARGS__};                                                     \
        return cmocka_run_group_tests(tests, set_up, tear_down);                                             \
    }

/* Of a variable: what it holds is freed, or handed to this function, where its block ends.
 *     FREED char *text = file_read(...);    ENDED(csv_free) struct csv csv; */
#define FREED __attribute__((cleanup(test_release)))
#define ENDED(by) __attribute__((cleanup(by)))
static inline void test_release(void *pointer) {
    free(*(void **)pointer);
}

/* The folder that everything is built in, as make names it. */
static inline const char *test_build(void) {
    const char *build = getenv("BUILD");
    return build != NULL ? build : "build";
}
