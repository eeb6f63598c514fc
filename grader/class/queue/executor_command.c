/* executor_command.c: a job as grade-job's command line. */
#include "class/queue/executor.h"

#include "base/child.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Seconds beyond the job's own limits, in which grade-job itself ends what takes too long (job/supervise.h): who waits
 * longer waits for a machine in trouble. */
enum { PATIENCE = 1200, GPU_QUEUE = 3600 }; /* GPU_QUEUE: it waits so long for a real GPU that others have */

/* As job/watch.h has it. */
static double wall(double seconds) {
    return fmin(10 * seconds, seconds + 540);
}

double executor_patience(const struct queue_job *job) {
    double queue = strcmp(job->device, "cuda") == 0 ? GPU_QUEUE : 0;
    return 2 * wall(job->build_seconds) + 2 * wall(job->run_seconds) + PATIENCE + queue;
}

static bool add_text(struct executor_command *command, const char *format, va_list values) {
    char text[PATH_SIZE];
    int length = vsnprintf(text, sizeof text, format, values);
    if (length < 0 || length >= (int)sizeof text || command->count + 1 >= EXECUTOR_ARGUMENTS)
        return false;
    command->arguments[command->count] = strdup(text);
    return command->arguments[command->count++] != NULL;
}

__attribute__((format(printf, 2, 3))) static bool add(struct executor_command *command, const char *format,
                                                      ...) {
    va_list values;
    va_start(values, format);
    bool right = add_text(command, format, values);
    va_end(values);
    return right;
}

/* An option and its value. */
__attribute__((format(printf, 3, 4))) static bool option(struct executor_command *command, const char *name,
                                                         const char *format, ...) {
    va_list values;
    va_start(values, format);
    bool right = add(command, "%s", name) && add_text(command, format, values);
    va_end(values);
    return right;
}

bool executor_command(struct executor_command *command, const struct executor *executor,
                      const struct queue_job *job) {
    char kernels[PATH_SIZE], kernel[PATH_SIZE], folder[PATH_SIZE], cache[PATH_SIZE], key[PATH_SIZE];
    *command = (struct executor_command){0};
    bool right = path_join(kernels, executor->book->folder, "kernels") &&
                 path_join(cache, executor->book->folder, "cache") &&
                 queue_key_path(executor->book, job->key_name, key) &&
                 kernel_store_path(kernels, job->sha256, kernel) &&
                 queue_job_folder(executor->book, job, folder);
    right = right && add(command, "%s", executor->grade_job) && option(command, "--lab", "%s", job->lab) &&
            option(command, "--kernel", "%s", kernel) && option(command, "--output", "%s", folder) &&
            option(command, "--device", "%s", job->device) && option(command, "--gpu", "%s", job->gpu) &&
            option(command, "--key", "%s", key) &&
            option(command, "--build-seconds", "%.0f", ceil(job->build_seconds)) &&
            option(command, "--run-seconds", "%.0f", ceil(job->run_seconds)) &&
            option(command, "--memory-mib", "%.0f", ceil(job->memory_mib)) &&
            option(command, "--cache", "%s", cache) &&
            (job->size[0] == '\0' || option(command, "--size", "%s", job->size));
    if (executor->unsafe)
        right = right && add(command, "--unsafe");
    else if (executor->sandbox[0] != '\0')
        right = right && option(command, "--sandbox", "%s", executor->sandbox);
    if (!right) {
        snprintf(executor->book->error, sizeof executor->book->error,
                 "a job's command line does not fit: is the path of OUT too long?");
        executor_command_free(command);
    }
    return right;
}

bool executor_sandbox(struct executor *executor, char *lines, size_t size) {
    const char *const question[] = {executor->grade_job, "--try-sandbox", NULL};
    bool works = child_run(question, lines, size) == 0;
    size_t length = strlen(lines), name = strcspn(lines, ":");
    while (length > 0 && lines[length - 1] == '\n')
        lines[--length] = '\0';
    if (length == 0)
        snprintf(lines, size, "%s does not say which sandbox works here", executor->grade_job);
    if (!works || length == 0 || name >= sizeof executor->sandbox)
        return false;
    snprintf(executor->sandbox, sizeof executor->sandbox, "%.*s", (int)name, lines);
    return true;
}

void executor_command_free(struct executor_command *command) {
    for (unsigned i = 0; i < command->count; i++)
        free(command->arguments[i]);
    *command = (struct executor_command){0};
}
