/* processor.c: children, schedstat, and the time that a busy machine takes. */
#include "base/processor.h"
#include "base/clock.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void processes_add_children(struct processes *processes, pid_t process) {
    char path[320];
    snprintf(path, sizeof path, "/proc/%d/task", (int)process);
    DIR *threads = opendir(path);
    if (threads == NULL)
        return; /* it has ended */
    for (struct dirent *thread; (thread = readdir(threads)) != NULL;) {
        if (thread->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "/proc/%d/task/%s/children", (int)process, thread->d_name);
        FILE *children = fopen(path, "re");
        int child;
        while (children != NULL && processes->count < PROCESSES_MOST && fscanf(children, "%d", &child) == 1)
            processes->process[processes->count++] = child;
        if (children != NULL)
            fclose(children);
    }
    closedir(threads);
}

/* schedstat: nanoseconds on a processor, and in the queue for one. */
void processor_add(struct processor_use *use, pid_t process, pid_t except) {
    char path[320];
    snprintf(path, sizeof path, "/proc/%d/task", (int)process);
    DIR *threads = opendir(path);
    if (threads == NULL)
        return;
    for (struct dirent *thread; (thread = readdir(threads)) != NULL;) {
        unsigned long long ran, waited;
        if (thread->d_name[0] == '.' || atoi(thread->d_name) == except)
            continue;
        snprintf(path, sizeof path, "/proc/%d/task/%s/schedstat", (int)process, thread->d_name);
        FILE *stat = fopen(path, "re");
        if (stat != NULL && fscanf(stat, "%llu %llu", &ran, &waited) == 2) {
            use->ran += 1e-9 * (double)ran;
            use->waited += 1e-9 * (double)waited;
        }
        if (stat != NULL)
            fclose(stat);
    }
    closedir(threads);
}

/* Is its first thread runnable? The state is the first behind the name, which stands in the last parentheses. */
static bool is_runnable(pid_t process) {
    char path[64], line[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *stat = fopen(path, "re");
    if (stat == NULL)
        return false;
    line[fread(line, 1, sizeof line - 1, stat)] = '\0';
    fclose(stat);
    const char *end = strrchr(line, ')');
    return end != NULL && strncmp(end, ") R", 3) == 0;
}

void fair_clock_start(struct fair_clock *clock, double now, const struct processor_use *use) {
    *clock = (struct fair_clock){.start = now, .use = *use, .changed = now};
}

double fair_clock_read(struct fair_clock *clock, double now, const struct processor_use *use) {
    double elapsed = now - clock->start, waited = use->waited - clock->use.waited;
    if (waited > 0) /* less than before: some have ended */
        clock->lost += waited;
    if (clock->lost > elapsed) /* several waited at once */
        clock->lost = elapsed;
    if (!use->runnable || waited != 0 || use->ran > clock->use.ran || use->ran < clock->use.ran)
        clock->changed = now;
    clock->use = *use;
    /* Who is runnable and gets nothing is in the queue, for how long the system says later. */
    double queued = now - clock->changed;
    return queued < elapsed - clock->lost ? elapsed - clock->lost - queued : 0;
}

void patience_begin(struct patience *p, double seconds) {
    *p = (struct patience){.seconds = seconds, .begin = clock_seconds()};
    p->next_look = p->begin + (seconds < 4 ? seconds / 4 : 1);
}

enum patience_state patience_look(struct patience *p, const pid_t *processes, unsigned count) {
    struct processes all = {.count = 0};
    struct processor_use use = {0};
    double now = clock_seconds();
    if (now < p->next_look)
        return PATIENCE_LASTS;
    for (unsigned i = 0; i < count; i++)
        if (processes[i] > 0)
            all.process[all.count++] = processes[i];
    for (unsigned i = 0; i < all.count; i++) {
        processor_add(&use, all.process[i], 0);
        use.runnable = use.runnable || is_runnable(all.process[i]);
        processes_add_children(&all, all.process[i]);
    }
    if (!p->looked) {
        p->looked = true;
        p->ran_before = use.ran;
        fair_clock_start(&p->clock, now, &use);
    }
    double fair = fair_clock_read(&p->clock, now, &use);
    p->elapsed = now - p->begin;
    p->ran = use.ran > p->ran_before ? use.ran - p->ran_before : 0;
    p->next_look = now + (p->seconds < 4 ? p->seconds / 4 : 1);
    return fair >= p->seconds                           ? PATIENCE_OVER
           : p->elapsed >= FAIR_CLOCK_MOST * p->seconds ? PATIENCE_BUSY
                                                        : PATIENCE_LASTS;
}

int patience_ms(const struct patience *p) {
    double left = p->next_look - clock_seconds();
    return left > 0 ? (int)(1000 * left) + 1 : 0;
}
