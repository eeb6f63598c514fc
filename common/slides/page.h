/* page.h: a deck as one HTML file that needs no other. */
#ifndef SLIDES_PAGE_H
#define SLIDES_PAGE_H

#include "slides/deck.h"
#include <stdio.h>

/* Style and script are common/slides/page.css and page.js below `root`. False and one line. */
bool page_write(FILE *out, const struct deck *deck, const char *root, char *error, size_t size);

#endif
