#include "harness/failure.h"

#include <stdarg.h>
#include <stdio.h>

void failure_set(struct failure *failure, const char *stage, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    snprintf(failure->stage, sizeof failure->stage, "%s", stage);
    vsnprintf(failure->message, sizeof failure->message, format, arguments);
    va_end(arguments);
}
