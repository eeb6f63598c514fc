/* support_lab.h: what many suites of this room begin with: a scratch folder, files in it, settings of a lab. */
#pragma once

#include "base/test.h"
#include "lab/settings.h"

extern char folder[64], error[SETTINGS_ERROR];
extern struct settings settings;

/* A suite's beginning: the folder, and settings of no lab yet. */
int make_folder(void **state);
/* Its end: fails where something of the folder stays. */
int remove_folder(void **state);

/* Write folder/WHERE/NAME. */
void put(const char *where, const char *name, const char *text);

/* settings_resolve on the simulated GPU; the lab's output goes to the folder. */
void resolve_lab(struct settings *s, const char *lab);
