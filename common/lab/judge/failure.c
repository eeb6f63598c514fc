/* failure.c: the words of a failure, and its flag. */
#include "lab/judge/failure.h"

#include <stdarg.h>
#include <stdio.h>

static void set(struct failure *failure, enum flag flag, enum report_stage stage, const char *format,
                va_list arguments) {
    failure->flag = flag;
    failure->stage = stage;
    vsnprintf(failure->message, sizeof failure->message, format, arguments);
}

void failure_set(struct failure *failure, enum report_stage stage, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    set(failure, FLAG_NONE, stage, format, arguments);
    va_end(arguments);
}

void failure_set_flag(struct failure *failure, enum flag flag, enum report_stage stage, const char *format,
                      ...) {
    va_list arguments;
    va_start(arguments, format);
    set(failure, flag, stage, format, arguments);
    va_end(arguments);
}
