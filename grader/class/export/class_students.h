/* class_students.h: the table of students in class.html. */
#ifndef CLASS_STUDENTS_H
#define CLASS_STUDENTS_H

#include "class/export/export.h"

/* A row per student, a column per lab, with the script that sorts them: the page's only one. False: the gradebook failed. */
bool class_students(const struct export_context *context, FILE *to);

#endif
