/* nsys-csv EXPORT.sqlite: prints the timeline as lines kind,name,begin,time, in microseconds from
 * the run's begin. The last line, kind "run", is the GPU's work from first to last. record-timeline
 * makes tables of it. */
#include "report/nsys/nsys.h"

#include <stdio.h>

/* The name of a template may hold commas. */
static void print_name(const char *name) {
    for (; *name != '\0'; name++)
        putchar(*name == ',' ? ';' : *name);
}

int main(int count, char **arguments) {
    struct nsys_recording recording;
    char error[1024], remarks[1024];
    if (count != 2) {
        fputs("usage: nsys-csv EXPORT.sqlite\n", stderr);
        return 2;
    }
    if (!nsys_read(&recording, arguments[1], error, sizeof error)) {
        fprintf(stderr, "nsys-csv: %s\n", error);
        return 1;
    }
    for (size_t i = 0; i < json_array_size(recording.spans); i++) {
        const json_t *span = json_array_get(recording.spans, i);
        printf("%s,", json_string_value(json_object_get(span, "kind")));
        print_name(json_string_value(json_object_get(span, "name")));
        printf(",%.3f,%.3f\n", json_number_value(json_object_get(span, "begin_us")),
               json_number_value(json_object_get(span, "time_us")));
    }
    printf("run,,%.3f,%.3f\n", recording.first_us, recording.last_us - recording.first_us);
    nsys_remarks(&recording, remarks, sizeof remarks);
    if (remarks[0] != '\0')
        fprintf(stderr, "nsys-csv: %s: %s\n", arguments[1], remarks);
    nsys_free(&recording);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fputs("nsys-csv: cannot write\n", stderr);
        return 1;
    }
    return 0;
}
