/* executor_command.c: a job as grade-job's command line. */
#include "class/executor.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { PATIENCE = 120 }; /* seconds beyond the job's own limits */

double executor_patience(const struct queue_job *job) {
    return job->build_seconds + job->run_seconds + PATIENCE;
}

__attribute__((format(printf, 2, 3))) static bool add(struct executor_command *command, const char *format,
                                                      ...) {
    char text[PATH_SIZE];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0 || length >= (int)sizeof text || command->count + 1 >= EXECUTOR_ARGUMENTS)
        return false;
    command->arguments[command->count] = strdup(text);
    return command->arguments[command->count++] != NULL;
}

bool executor_command(struct executor_command *command, const struct executor *executor,
                      const struct queue_job *job) {
    char kernels[PATH_SIZE], kernel[PATH_SIZE], folder[PATH_SIZE], cache[PATH_SIZE];
    *command = (struct executor_command){0};
    bool right = path_join(kernels, executor->book->folder, "kernels") &&
                 path_join(cache, executor->book->folder, "cache") &&
                 kernel_store_path(kernels, job->sha256, kernel) &&
                 queue_job_folder(executor->book, job, folder);
    right = right && add(command, "%s", executor->grade_job) && add(command, "--lab") &&
            add(command, "%s", job->lab) && add(command, "--kernel") && add(command, "%s", kernel) &&
            add(command, "--output") && add(command, "%s", folder) && add(command, "--device") &&
            add(command, "%s", job->device) && add(command, "--gpu") && add(command, "%s", job->gpu) &&
            add(command, "--seed") && add(command, "%llu", (unsigned long long)job->seed) &&
            add(command, "--build-seconds") && add(command, "%.0f", ceil(job->build_seconds)) &&
            add(command, "--run-seconds") && add(command, "%.0f", ceil(job->run_seconds)) &&
            add(command, "--memory-mib") && add(command, "%.0f", ceil(job->memory_mib)) &&
            add(command, "--cache") && add(command, "%s", cache);
    if (job->size[0] != '\0')
        right = right && add(command, "--size") && add(command, "%s", job->size);
    if (executor->unsafe)
        right = right && add(command, "--unsafe");
    if (!right) {
        snprintf(executor->book->error, sizeof executor->book->error,
                 "a job's command line does not fit: is the path of OUT too long?");
        executor_command_free(command);
    }
    return right;
}

void executor_command_free(struct executor_command *command) {
    for (unsigned i = 0; i < command->count; i++)
        free(command->arguments[i]);
    *command = (struct executor_command){0};
}
