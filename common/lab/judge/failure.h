/* failure.h: why a lab could not be judged or measured, as the report and the terminal tell it. */
#pragma once

#include "report/document/flags.h"
#include "report/document/report.h"

struct failure {
    enum report_stage stage; /* STAGE_NONE while all is well */
    char message[1536];      /* one or a few lines; the first says what happened */
    enum flag flag;          /* the flag that the report gets; FLAG_NONE: none */
};

__attribute__((format(printf, 3, 4))) void failure_set(struct failure *failure, enum report_stage stage,
                                                       const char *format, ...);
/* Likewise, with a flag. */
__attribute__((format(printf, 4, 5))) void failure_set_flag(struct failure *failure, enum flag flag,
                                                            enum report_stage stage, const char *format, ...);
