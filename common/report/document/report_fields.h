/* report_fields.h: the tables of report.json, of which writer, reader and README.md's keys follow. Private to this room. */
#ifndef REPORT_REPORT_FIELDS_H
#define REPORT_REPORT_FIELDS_H

#include "report/document/fields.h"

extern const struct record report_record, kernel_record; /* struct report, struct kernel_report */
extern const struct record file_record, part_record, case_record, run_record, goal_record, flag_record,
    remark_record;

#endif
