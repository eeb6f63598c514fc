/* grade: a class, from what it handed in to its grades. */
#include "base/file.h"
#include "base/home.h"
#include "class/export/export.h"
#include "class/humans.h"
#include "class/options.h"
#include "class/queue/executor.h"
#include "class/rehearsal.h"
#include "class/score/score.h"

#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int trouble(const char *message) {
    fprintf(stderr, "grade: %s\n", message);
    return EXIT_TROUBLE;
}

static void say_plan(const struct options *o, const struct plan *plan, const struct queue_counts *counts) {
    if (o->quiet)
        return;
    if (plan->layout != NULL)
        fprintf(stderr, "%u handed in (%s), %u with a kernel.cu", plan->handed_in, plan->layout->title,
                plan->kernels);
    else
        fprintf(stderr, "%u to be judged once more, alone", plan->handed_in);
    if (plan->unknown > 0)
        fprintf(stderr, ", %u not in the roster", plan->unknown);
    if (plan->nothing > 0)
        fprintf(stderr, ", %u of the roster with nothing (%s%s)", plan->nothing, plan->nothing_of,
                plan->nothing > 5 ? " ..." : "");
    fputc('\n', stderr);
    if (plan->stray_count > 0)
        fprintf(stderr, "%u of it a human has to look at:\n%s", plan->stray_count, plan->strays);
    if (counts != NULL)
        fprintf(stderr, "%u kernels to judge, %u of them already are\n", counts->wanted, counts->done);
}

static bool use_cuda(const struct plan *plan) {
    struct policy_rules rules;
    for (unsigned i = 0; i < plan->lab_count; i++) {
        policy_rules(&plan->policy, plan->labs[i].id, &rules);
        if (rules.devices & POLICY_CUDA)
            return true;
    }
    return false;
}

static void init_executor(const struct options *o, const struct plan *plan, struct executor *executor) {
    *executor = (struct executor){.book = plan->book,
                                  .grade_job = o->plan.grade_job,
                                  .jobs = o->jobs,
                                  .unsafe = o->unsafe,
                                  .slurm_options = o->slurm_options};
    if (executor->jobs == 0 && strcmp(o->executor, "slurm") != 0) {
        long cores = sysconf(_SC_NPROCESSORS_ONLN);
        executor->jobs =
            use_cuda(plan) || cores < 1 ? 1 : (unsigned)cores; /* a GPU is timed by one at a time */
    }
}

/* Run what is wanted. 0: nothing is left. */
static int judge(const struct options *o, const struct plan *plan, struct executor *executor,
                 struct queue_counts *counts) {
    struct gradebook *book = executor->book;
    struct progress_line progress;
    bool slurm = strcmp(o->executor, "slurm") == 0;
    if (o->unsafe && !o->quiet && counts->done < counts->wanted)
        fputs("No sandbox (UNSAFE=1): kernels run as you, and may do whatever you may\n", stderr);
    if (!slurm && !o->unsafe && counts->done < counts->wanted && executor->sandbox[0] == '\0') {
        char lines[1200];
        if (!executor_sandbox(executor, lines, sizeof lines))
            return trouble(lines);
        if (!o->quiet)
            fprintf(stderr, "Sandbox %s\n", lines);
    }
    struct executor shown = *executor;
    if (!slurm && counts->done < counts->wanted)
        shown.jobs = plan_jobs_in_memory(plan, executor->jobs, o->quiet ? NULL : stderr);
    shown.progress = &progress;
    progress_line_begin(&progress, o->quiet ? NULL : stderr, counts);
    enum executor_end end = slurm ? executor_slurm(&shown) : executor_local(&shown);
    if (end == EXECUTOR_FAILED || !queue_count(book, counts))
        return trouble(book->error);
    progress_line_end(&progress, counts);
    if (end == EXECUTOR_INTERRUPTED)
        return trouble("interrupted; the same command goes on where this one was");
    return 0;
}

static int judge_class(const struct options *o, struct plan *plan, struct executor *executor) {
    struct queue_counts counts;
    if (!queue_recover(plan->book, strcmp(o->executor, "slurm") == 0) || !queue_count(plan->book, &counts))
        return trouble(plan->book->error);
    say_plan(o, plan, &counts);
    return judge(o, plan, executor, &counts);
}

/* 0: starter and reference of each lab earn what they must. */
static int rehearse(const struct options *o, struct plan *plan, struct executor *executor) {
    struct rehearsal rehearsal;
    struct queue_counts counts;
    if (!plan_labs(plan) || !rehearsal_begin(&rehearsal, plan))
        return trouble(plan->error);
    int status = 0;
    if (rehearsal.missing > 0) {
        if (!o->quiet)
            fputs("Rehearsal: starter and reference of each lab under this policy\n", stderr);
        status =
            !queue_recover(plan->book, strcmp(o->executor, "slurm") == 0) || !queue_count(plan->book, &counts)
                ? trouble(plan->book->error)
                : judge(o, plan, executor, &counts);
    }
    if (status == 0 &&
        !rehearsal_end(&rehearsal, stderr, !o->quiet && (o->rehearse || rehearsal.missing > 0)))
        status = trouble(plan->error);
    return status;
}

static bool export(const struct options *o, struct plan *plan) {
    struct export_context context = {.book = plan->book,
                                     .policy = &plan->policy,
                                     .root = plan->options->root,
                                     .results = o->results,
                                     .student = o->plan.student,
                                     .lab = o->plan.lab,
                                     .autolab = o->results != NULL ? stdout : NULL,
                                     .scores = o->scores};
    return export_all(&context);
}

/* What a platform's file lacks, and why. */
static void say_notes(struct gradebook *book) {
    char notes[4096];
    if (gradebook_get(book, "export notes", notes, sizeof notes))
        fputs(notes, stderr);
}

static void say_changes(const struct plan *plan, const char *none) {
    fprintf(stderr, "%s%s%s", plan->changed[0] != '\0' ? plan->changed : none, plan->zone_said,
            plan->zone_said[0] != '\0' ? "\n" : "");
}

static bool say_end(const struct options *o, const struct plan *plan, const struct queue_counts *counts,
                    bool *suspicious) {
    if (!o->quiet)
        say_notes(plan->book);
    if (plan->lost[0] != '\0' && !o->quiet)
        fprintf(stderr, "%s\n", plan->lost);
    if (!o->quiet)
        say_changes(plan, "");
    if (plan->policy_was_kept && !o->quiet)
        fputs("The policy is the one that was given last (POLICY=file gives another)\n", stderr);
    if (counts->trouble > 0 && !o->quiet)
        fprintf(stderr, "%u could not be judged: the same command tries them again\n", counts->trouble);
    if (!humans_say(plan, o->quiet ? NULL : stderr, suspicious))
        return false;
    if (!o->quiet)
        fprintf(stderr, "Grades  %s/grades.csv, class.html, feedback/ (all files: grader/README.md)\n",
                o->out);
    return true;
}

static int grade(const struct options *o, struct plan *plan, struct gradebook *book) {
    struct queue_counts counts;
    struct executor executor;
    char jobs[PATH_SIZE];
    bool suspicious;
    if (!plan_init(plan, &o->plan, book))
        return trouble(plan->error);
    if (o->plan.dry_run && o->plan.rescore) {
        if (!plan_labs(plan) || !score_class(plan))
            return trouble(plan->error);
        say_changes(plan, "No grade changes.\n");
        fputs("Nothing was changed.\n", stderr);
        return 0;
    }
    if (o->plan.dry_run) {
        if (!plan_read(plan, stdout))
            return trouble(plan->error);
        say_plan(o, plan, NULL);
        if (!o->quiet)
            fputs("Nothing was judged, starter and reference neither: make grade REHEARSE=1 does that\n",
                  stderr);
        return plan->stray_count > 0 ? EXIT_UNFINISHED : 0;
    }
    init_executor(o, plan, &executor);
    int status = rehearse(o, plan, &executor);
    if (status != 0 || o->rehearse)
        return status;
    if (!o->plan.rescore && !(o->plan.rejudge != NULL ? plan_rejudge(plan) : plan_read(plan, NULL)))
        return trouble(plan->error);
    if (!o->plan.rescore && (status = judge_class(o, plan, &executor)) != 0)
        return status;
    if (!score_class(plan))
        return trouble(plan->error);
    if (!export(o, plan) || !queue_count(book, &counts))
        return trouble(book->error);
    if (counts.running == 0 && path_join(jobs, o->out, "jobs"))
        folder_remove(jobs);
    if (!say_end(o, plan, &counts, &suspicious))
        return trouble(book->error);
    return counts.trouble > 0 || plan->stray_count > 0 || suspicious ? EXIT_UNFINISHED : 0;
}

/* "sim h200", a line each; what the Makefile builds starters and references for. The names to judge
 * once more are looked up first. */
static int list_devices(const struct options *o) {
    struct plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL)
        return trouble("out of memory");
    /* the policy may be the one that the gradebook keeps */
    struct gradebook book = {0};
    char path[PATH_SIZE];
    bool has_book = path_join(path, o->out, "gradebook.sqlite") && access(path, R_OK) == 0;
    int status = has_book && !gradebook_open(&book, o->out)           ? trouble(book.error)
                 : plan_init(plan, &o->plan, has_book ? &book : NULL) ? 0
                                                                      : trouble(plan->error);
    if (status == 0 && has_book && o->plan.rejudge != NULL &&
        !(plan_names_of_book(plan) && plan_names_check(plan)))
        status = trouble(plan->error);
    const struct policy *policy = &plan->policy;
    for (unsigned i = 0; status == 0 && i <= policy->lab_count; i++) {
        struct policy_rules rules;
        policy_rules(policy, i < policy->lab_count ? policy->labs[i].lab : "", &rules);
        if (rules.devices & POLICY_SIM)
            printf("sim %s\n", rules.gpu);
        if (rules.devices & POLICY_CUDA)
            printf("cuda %s\n", rules.gpu);
    }
    gradebook_close(&book);
    plan_free(plan);
    free(plan);
    return status;
}

static int look_at(const struct options *o, struct plan *plan, struct gradebook *book) {
    char id[GRADE_NAME];
    bool found;
    plan->book = book;
    if (!plan_names_kept(plan))
        return trouble(plan->error);
    if (!plan_known_student(plan, o->look, id)) {
        if (plan->error[0] != '\0')
            return trouble(plan->error);
        snprintf(id, sizeof id, "%s", o->look);
    }
    return !look(book, id, o->plan.lab, stdout, &found) ? trouble(book->error)
           : !found ? options_refuse("no grade of this student is in the gradebook: ", o->look)
                    : 0;
}

static int run(const struct options *o) {
    struct gradebook book = {0};
    struct plan *plan = calloc(1, sizeof *plan);
    char error[TEXT_ERROR];
    char folder[PATH_MAX];
    int lock = -1, status;
    bool reads = !o->plan.dry_run || o->plan.rescore; /* what the gradebook has */
    if (plan == NULL)
        return trouble("out of memory");
    if (reads &&
        ((lock = gradebook_lock(o->out, error, sizeof error)) < 0 || realpath(o->out, folder) == NULL)) {
        free(plan);
        return trouble(lock < 0 ? error : strerror(errno));
    }
    if (reads && !gradebook_open(&book, folder)) {
        status = trouble(book.error);
    } else if (o->look != NULL) {
        status = look_at(o, plan, &book);
    } else if (o->dump) {
        status = gradebook_dump(&book, stdout) ? 0 : trouble(book.error);
    } else {
        status = grade(o, plan, reads ? &book : NULL);
        if (status != 0 && plan->error[0] == '\0')
            snprintf(plan->error, sizeof plan->error, "%s", book.error);
        plan_free(plan);
    }
    gradebook_close(&book);
    if (lock >= 0)
        close(lock);
    free(plan);
    return status;
}

int main(int count, char **arguments) {
    struct options options = {.out = "build/grades", .executor = "local"};
    struct home home;
    char error[TEXT_ERROR], grade_job[PATH_SIZE], paths[OPTIONS_PATHS][PATH_SIZE];
    setlocale(LC_CTYPE, "C.UTF-8");        /* names in archives */
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ); /* whole lines, where stderr goes to the same file */
    int status = options_read(count, arguments, &options);
    if (status != 0)
        return status - 1;
    if (!options_expand_home(&options, paths))
        return trouble("a path is too long");
    if (!options_has_zone()) {
        fprintf(
            stderr,
            "grade: TZ=%s: no such zone is in /usr/share/zoneinfo (Europe/Berlin, say); times would be read as UTC\n",
            getenv("TZ"));
        return EXIT_USAGE;
    }
    /* One that is there is another submission's. A new one comes where there is a grade, and only there: Gradescope takes what it
     * finds for a score. */
    if (options.results != NULL && unlink(options.results) != 0 && errno != ENOENT)
        return trouble(strerror(errno));
    if (!home_find(&home, error, sizeof error))
        return trouble(error);
    options.plan.root = home.root;
    if (options.list_devices)
        return list_devices(&options);
    path_join(grade_job, home.build, "bin/grade-job");
    if (options.plan.grade_job == NULL)
        options.plan.grade_job = grade_job;
    if (!options.plan.dry_run && !options.plan.rescore && !options.dump && options.look == NULL &&
        access(options.plan.grade_job, X_OK) != 0) {
        fprintf(stderr, "grade: cannot run %s: %s (make grade builds it)\n", options.plan.grade_job,
                strerror(errno));
        return EXIT_TROUBLE;
    }
    return run(&options);
}
