/* plan_jobs.c: the jobs of a kernel, by the rules of its lab. */
#include "class/plan.h"

#include "base/child.h"
#include "base/file.h"
#include "base/memory.h"
#include "class/instructor.h"
#include "class/intake/bundle.h"

#include <string.h>
#include <sys/stat.h>

/* For grade-job, which gets the file's name: a key in a command line could be read by others. */
static bool write_key(struct plan *plan, const struct policy_rules *rules) {
    struct file_output output;
    char folder[PATH_SIZE];
    if (!path_join(folder, plan->book->folder, "keys"))
        return plan_refuse(plan, "the path of OUT is too long");
    if (!folder_make(folder, plan->error, sizeof plan->error) || chmod(folder, 0700) != 0 ||
        !file_begin(&output, folder, rules->key_name, plan->error, sizeof plan->error))
        return false;
    if (fchmod(fileno(output.file), 0600) == 0 && fprintf(output.file, "%s\n", rules->key) > 0)
        return file_end(&output, plan->error, sizeof plan->error);
    file_discard(&output);
    return plan_refuse(plan, "the key cannot be written into %.900s", folder);
}

/* The version of what a result depends on besides the kernel: grade-job knows. NULL: it has none. */
static const char *kit_of(struct plan *plan, const struct queue_job *job) {
    for (unsigned i = 0; i < plan->kit_count; i++) {
        const struct plan_kit *kit = &plan->kits[i];
        if (strcmp(kit->lab, job->lab) == 0 && strcmp(kit->device, job->device) == 0 &&
            strcmp(kit->gpu, job->gpu) == 0)
            return kit->version;
    }
    struct plan_kit *kit = &plan->kits[plan->kit_count];
    // clang-format off
    const char *const arguments[] = {
        plan->options->grade_job, "--kit", "--lab", job->lab, "--device", job->device, "--gpu", job->gpu,
        NULL};
    // clang-format on
    char output[512];
    int status = child_run(arguments, output, sizeof output);
    output[strcspn(output, "\r\n")] = '\0';
    if (status != 0 || output[0] == '\0' || plan->kit_count == PLAN_LABS) {
        plan_refuse(plan, "nothing can be judged for %s on %s (%s): %s", job->lab, job->device, job->gpu,
                    output);
        return NULL;
    }
    plan->kit_count++;
    snprintf(kit->lab, sizeof kit->lab, "%s", job->lab);
    snprintf(kit->device, sizeof kit->device, "%s", job->device);
    snprintf(kit->gpu, sizeof kit->gpu, "%s", job->gpu);
    text_clean(kit->version, sizeof kit->version, output);
    return kit->version;
}

char *plan_kit_file(struct plan *plan, const struct lab *lab, enum plan_side side, size_t *length) {
    static const char *const kernels[] = {"starter.cu", "kernel.cu"}, *const tasks[] = {"starters", "."};
    char path[PATH_SIZE];
    bool one = lab->problem != NULL;
    if (!path_print(path, "%s/solutions/%s-%s/%s", plan->options->root, lab->id, lab->topic,
                    one ? kernels[side] : tasks[side])) {
        plan_refuse(plan, "the path of the kit is too long");
        return NULL;
    }
    return one ? file_read(path, KERNEL_LIMIT, length, plan->error, sizeof plan->error)
               : bundle_of_folder(path, length, plan->error, sizeof plan->error);
}

bool plan_add_jobs(struct plan *plan, const char *lab, const char *sha256) {
    static const struct {
        unsigned bit;
        const char *name;
    } devices[] = {{POLICY_SIM, "sim"}, {POLICY_CUDA, "cuda"}};
    struct policy_rules rules;
    if (!plan_rules(plan, lab, &rules) || !write_key(plan, &rules))
        return false;
    for (int d = 0; d < 2; d++) {
        if ((rules.devices & devices[d].bit) == 0)
            continue;
        struct queue_job job = {.build_seconds = rules.build_seconds,
                                .run_seconds = policy_run_seconds(&rules, devices[d].bit),
                                .memory_mib = rules.memory_mib};
        snprintf(job.sha256, sizeof job.sha256, "%s", sha256);
        snprintf(job.lab, sizeof job.lab, "%s", lab);
        snprintf(job.device, sizeof job.device, "%s", devices[d].name);
        snprintf(job.gpu, sizeof job.gpu, "%s", rules.gpu);
        snprintf(job.size, sizeof job.size, "%s", rules.size);
        snprintf(job.key_name, sizeof job.key_name, "%s", rules.key_name);
        const char *kit = kit_of(plan, &job);
        if (kit == NULL)
            return false;
        snprintf(job.kit, sizeof job.kit, "%s", kit);
        queue_job_key(&job);
        if (!queue_add(plan->book, &job))
            return plan_book_failed(plan);
    }
    return true;
}

/* Once more what the gradebook has of those who are named, or of all whom a limit of time has stopped. */
static bool rejudge(struct plan *plan) {
    bool timeouts = plan->names == NULL;
    if (!plan_labs_of_book(plan) || !plan_names_of_book(plan) || !plan_names_check(plan) ||
        (!queue_plan(plan->book) && !plan_book_failed(plan)))
        return false;
    sqlite3_stmt *row = gradebook_prepare(
        plan->book,
        "SELECT DISTINCT m.student, m.lab, m.sha256, g.flags FROM submissions m LEFT JOIN grades g"
        " ON g.student = m.student AND g.lab = m.lab WHERE m.sha256 <> '' ORDER BY 1, 2",
        "");
    bool right = row != NULL || plan_book_failed(plan);
    while (right && sqlite3_step(row) == SQLITE_ROW) {
        char flags[GRADE_FLAGS + 2];
        bool meant = false;
        snprintf(flags, sizeof flags, " %s ", gradebook_text(row, 3));
        meant = timeouts && (strstr(flags, " timeout ") != NULL || strstr(flags, " judge-limit ") != NULL);
        for (unsigned i = 0; i < plan->name_count; i++)
            meant = meant || strcmp(plan->names[i].id, gradebook_text(row, 0)) == 0;
        if (!meant || plan_find_lab(plan, gradebook_text(row, 1)) == NULL)
            continue;
        right = plan_add_jobs(plan, gradebook_text(row, 1), gradebook_text(row, 2)) &&
                (queue_again(plan->book, gradebook_text(row, 2), gradebook_text(row, 1)) ||
                 plan_book_failed(plan));
        plan->handed_in++;
        plan->kernels++;
    }
    sqlite3_finalize(row);
    return right && (plan->handed_in > 0 || plan_refuse(plan, timeouts ? "no time limit has stopped anybody"
                                                                       : "they have handed in no kernel"));
}

bool plan_rejudge(struct plan *plan) {
    if (!gradebook_begin(plan->book))
        return plan_book_failed(plan);
    if (rejudge(plan) && instructor_put(plan) && plan_keep_policy(plan) &&
        (gradebook_commit(plan->book) || plan_book_failed(plan)))
        return true;
    gradebook_rollback(plan->book);
    return false;
}

unsigned plan_jobs_in_memory(const struct plan *plan, unsigned jobs, FILE *to) {
    uint64_t most = 0, free_mib = memory_available() >> 20;
    for (unsigned i = 0; i < plan->lab_count; i++) {
        struct policy_rules rules;
        policy_rules(&plan->policy, plan->labs[i].id, &rules);
        most = rules.memory_mib > (double)most ? (uint64_t)rules.memory_mib : most;
    }
    if (most == 0 || free_mib / most >= jobs)
        return jobs;
    unsigned fit = free_mib / most > 1 ? (unsigned)(free_mib / most) : 1;
    if (to != NULL)
        fprintf(to,
                "%u at a time: %llu MiB of memory are free, and each may use %llu\n"
                "(memory_mib in the policy)\n",
                fit, (unsigned long long)free_mib, (unsigned long long)most);
    return fit;
}
