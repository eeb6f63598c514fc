/* support_slides.h: a folder of figures for tests, and decks from text. */
#ifndef SLIDES_SUPPORT_SLIDES_H
#define SLIDES_SUPPORT_SLIDES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "slides/deck.h"

/* tests/data; for data_close. */
struct data *test_data(void);

#endif
