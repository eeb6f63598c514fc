/* The experiment of a lab: labs/labN-topic/sweep.cu on this device, each point as it comes; then a table, a
 * CSV file and a picture. */
#include "analysis/terminal.h"
#include "harness/commands.h"
#include "harness/plot.h"
#include "harness/progress.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { POINTS = 512, COLUMNS = 16 };

struct point {
    unsigned bytes, loads, threads; /* of a word; of a thread, independent; resident on an SM */
    double occupancy, gbs;
};

struct sweep {
    struct point point[POINTS];
    unsigned count, expected;
    char gpu[128];
};

/* The environment in which an ordinary CUDA program runs on this device. */
static void set_environment(const struct settings *s) {
    char path[PATH_SIZE];
    const char *toolkit = getenv("CUDA_LIBRARY_FOLDER");
    if (s->device == DEVICE_SIM) {
        path_print(path, "%s/lib/cuda", s->build);
        setenv("LD_LIBRARY_PATH", path, 1);
        setenv("GPU", s->gpu, 1);
        setenv("RACES", "0", 1);
    } else if (toolkit != NULL && *toolkit != '\0')
        setenv("LD_LIBRARY_PATH", toolkit, 1);
}

static FILE *start(const struct settings *s, pid_t *child) {
    char program[PATH_SIZE];
    int ends[2];
    settings_program(s, "sweep", program);
    if (pipe(ends) != 0)
        return NULL;
    *child = fork();
    if (*child == 0) {
        bool sim = s->device == DEVICE_SIM;
        set_environment(s);
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        /* megabytes and rounds: beyond L2; the simulator's times do not vary */
        execl(program, program, sim ? "128" : "1024", sim ? "1" : "7", (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    if (*child < 0) {
        close(ends[0]);
        return NULL;
    }
    return fdopen(ends[0], "r");
}

/* One line of sweep.cu: a point, or a comment. False when it is neither. */
static bool read_line(const char *line, struct sweep *sweep) {
    struct point p;
    if (sscanf(line, "# %u points on %127[^\n]", &sweep->expected, sweep->gpu) == 2 || *line == '#')
        return true;
    if (sscanf(line, "%u %u %u %lf %lf", &p.bytes, &p.loads, &p.threads, &p.occupancy, &p.gbs) != 5 ||
        sweep->count == POINTS)
        return false;
    sweep->point[sweep->count++] = p;
    return true;
}

static bool run(const struct settings *s, struct sweep *sweep, char *error, size_t size) {
    pid_t child;
    char line[256];
    int status = 0;
    FILE *from = start(s, &child);
    if (from == NULL) {
        snprintf(error, size, "the sweep cannot be started");
        return false;
    }
    bool right = true;
    while (right && fgets(line, sizeof line, from) != NULL) {
        enum { BAR = 40 };
        right = read_line(line, sweep);
        unsigned done = sweep->expected > 0 ? sweep->count * BAR / sweep->expected : 0;
        progress_show("[%.*s%.*s] %u of %u", (int)done, "########################################",
                      (int)(BAR - (done < BAR ? done : BAR)), "                                        ",
                      sweep->count, sweep->expected);
    }
    progress_clear();
    fclose(from);
    while (waitpid(child, &status, 0) < 0)
        ;
    if (right && WIFEXITED(status) && WEXITSTATUS(status) == 0 && sweep->count > 0)
        return true;
    snprintf(error, size, "%s",
             right ? "the sweep failed: its message stands above"
                   : "the sweep printed something that is no point");
    return false;
}

static bool same_curve(const struct point *a, const struct point *b) {
    return a->bytes == b->bytes && a->loads == b->loads;
}

/* A row a curve, a column a number of threads; the best of all is the measure. */
static void show_table(const struct terminal *t, const struct settings *s, const struct sweep *sweep) {
    unsigned threads[COLUMNS], columns = 0;
    double best = 0;
    for (unsigned i = 0; i < sweep->count; i++) {
        const struct point *p = &sweep->point[i];
        best = p->gbs > best ? p->gbs : best;
        if (columns < COLUMNS && same_curve(p, &sweep->point[0]))
            threads[columns++] = p->threads;
    }
    terminal_print(t, STYLE_TITLE, "\nLab %s", s->lab.id + 3);
    terminal_print(t, STYLE_STRONG, "  Bandwidth against threads of a multiprocessor\n");
    terminal_print(t, STYLE_DIM, "       %s, %s; 10^9 bytes a second, read and written\n\n", sweep->gpu,
                   s->device == DEVICE_SIM ? "modelled" : "measured");
    terminal_print(t, STYLE_DIM, "  %-12s", "word x loads");
    for (unsigned c = 0; c < columns; c++)
        terminal_print(t, STYLE_DIM, "%7u", threads[c]);
    for (unsigned i = 0; i < sweep->count; i++) {
        const struct point *p = &sweep->point[i];
        if (i == 0 || !same_curve(p, &sweep->point[i - 1])) {
            char name[32];
            snprintf(name, sizeof name, "%u B x %u", p->bytes, p->loads);
            fprintf(t->out, "\n  %-12s", name);
        }
        terminal_print(t, p->gbs >= 0.95 * best ? STYLE_GOOD : STYLE_NORMAL, "%7.0f", p->gbs);
    }
    fprintf(t->out, "\n\n  Fewest threads for 95 %% of the best, %.0f:\n", best);
    for (unsigned i = 0; i < sweep->count; i++) {
        const struct point *p = &sweep->point[i];
        bool before = false;
        for (unsigned k = 0; k < i; k++)
            before = before || (same_curve(p, &sweep->point[k]) && sweep->point[k].gbs >= 0.95 * best);
        if (!before && p->gbs >= 0.95 * best)
            fprintf(t->out, "  %2u B x %u: %5u threads, %3.0f %% occupancy\n", p->bytes, p->loads, p->threads,
                    100 * p->occupancy);
    }
}

/* sweep.csv, one line a point, and the blocks gnuplot wants: sweep.dat. */
static bool write_files(const struct settings *s, const struct sweep *sweep, char *error, size_t size) {
    char csv[PATH_SIZE], data[PATH_SIZE];
    path_join(csv, s->folder, "sweep.csv");
    path_join(data, s->folder, "sweep.dat");
    FILE *table = fopen(csv, "wb"), *blocks = fopen(data, "wb");
    bool right = table != NULL && blocks != NULL;
    if (right) {
        fprintf(table, "word_bytes,loads,threads_per_sm,occupancy,gbs\n");
        for (unsigned i = 0; i < sweep->count; i++) {
            const struct point *p = &sweep->point[i];
            fprintf(table, "%u,%u,%u,%.4f,%.1f\n", p->bytes, p->loads, p->threads, p->occupancy, p->gbs);
            if (i == 0 || !same_curve(p, &sweep->point[i - 1]))
                fprintf(blocks, "%s\"%u bytes x %u\"\n", i == 0 ? "" : "\n\n", p->bytes, p->loads);
            fprintf(blocks, "%u %.6g\n", p->threads, p->gbs);
        }
    }
    if (table != NULL)
        right = fclose(table) == 0 && right;
    if (blocks != NULL)
        right = fclose(blocks) == 0 && right;
    if (!right)
        snprintf(error, size, "%s or sweep.dat beside it cannot be written", csv);
    return right;
}

static bool draw(const struct settings *s, const struct sweep *sweep) {
    char data[PATH_SIZE], picture[PATH_SIZE], title[256], mark[32];
    const struct point *last = &sweep->point[sweep->count - 1];
    path_join(data, s->folder, "sweep.dat");
    path_join(picture, s->folder, "sweep.png");
    snprintf(title, sizeof title, "Increment an array: %s, %s", sweep->gpu,
             s->device == DEVICE_SIM ? "modelled" : "measured");
    snprintf(mark, sizeof mark, "%.0f", 0.66 * last->threads / last->occupancy);
    return plot_draw(s, "sweep.gp", (const char *[]){data, picture, title, mark, NULL});
}

int command_sweep(struct settings *s, const char *lab, int count, char **rest) {
    (void)count, (void)rest;
    static struct sweep sweep;
    char error[SETTINGS_ERROR];
    if (!settings_resolve(s, lab, error, sizeof error) || !run(s, &sweep, error, sizeof error))
        return command_refuse(error);
    struct terminal terminal = terminal_open(stdout);
    show_table(&terminal, s, &sweep);
    if (!write_files(s, &sweep, error, sizeof error))
        return command_refuse(error);
    const char *folder = s->folder + strlen(s->root) + 1;
    bool drawn = draw(s, &sweep);
    terminal_print(&terminal, STYLE_DIM, "\n  points %s/sweep.csv", folder);
    if (drawn)
        terminal_print(&terminal, STYLE_DIM, "; picture %s/sweep.png\n\n", folder);
    else
        terminal_print(&terminal, STYLE_DIM, "; no picture: gnuplot is missing or failed\n\n");
    return 0;
}
