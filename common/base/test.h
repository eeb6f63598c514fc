/* test.h: CMocka with the headers that it needs, for every test. */
#ifndef BASE_TEST_H
#define BASE_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* CMocka hands a state to each test; few tests use it. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#endif
