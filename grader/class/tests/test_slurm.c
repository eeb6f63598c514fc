/* Job arrays on a real Slurm: one node, started here in a scratch folder. Skipped where its programs are not.
 */
#include "support_class.h"

#include "base/child.h"
#include "base/file.h"

#include <signal.h>
#include <sys/wait.h>

static char cluster[PATH_SIZE], gate[PATH_SIZE];
static const char *missing; /* why there is no cluster here */

static bool is_here(const char *name) {
    char text[256];
    const char *const arguments[] = {"sh", "-c",
                                     class_print("PATH=$PATH:/usr/sbin:/sbin command -v %s", name), NULL};
    return child_run(arguments, text, sizeof text) == 0;
}

static int control(const char *verb) {
    char text[4096];
    const char *const arguments[] = {"grader/class/tests/slurm-cluster.sh", verb, cluster, NULL};
    int status = child_run(arguments, text, sizeof text);
    if (text[0] != '\0')
        printf("%s: %s\n", verb, text);
    return status;
}

static int start_cluster(void **state) {
    if (getenv("SANITIZED") != NULL) {
        missing = "its minutes are waiting for a cluster; the rest of the grader runs with sanitisers";
        return 0;
    }
    static const char *const programs[] = {"slurmctld", "slurmd", "munged", "sbatch", "squeue"};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (!is_here(programs[i])) {
            missing = "no Slurm here: make setup DEV=1 brings slurmctld, slurmd and munge";
            return 0;
        }
    if (geteuid() != 0) {
        missing = "a Slurm of one's own needs root";
        return 0;
    }
    char conf[PATH_SIZE];
    class_make(cluster);
    setenv("PATH", class_print("%s:/usr/sbin:/sbin", getenv("PATH")), 1);
    path_join(conf, cluster, "slurm.conf");
    setenv("SLURM_CONF", conf, 1);
    if (control("start") != 0)
        missing = "Slurm does not start in this machine (munged, slurmctld and slurmd are here)";
    return 0;
}

static int stop_cluster(void **state) {
    if (cluster[0] != '\0') {
        control("stop");
        folder_remove(cluster);
    }
    return 0;
}

static int set_up(void **state) {
    if (missing == NULL) {
        assert_true(class_set_up(state) == 0 && path_join(gate, folder, "gate"));
        setenv("FAKE_GRADE_JOB_GATE", gate, 1); /* sbatch hands them on to the tasks */
    }
    return 0;
}

static int tear_down(void **state) {
    if (missing == NULL)
        class_tear_down(NULL);
    return 0;
}

static void need_cluster(void) {
    if (missing == NULL)
        return;
    printf("skipped: %s\n", missing);
    skip();
}

static void write_class(const char *word, unsigned students) {
    for (unsigned i = 0; i < students; i++) {
        const char *text = class_print("// %s%s %u\n", word, i % 4 == 3 ? " WRONG" : "", i);
        class_write_at(class_print("in/student%02u/kernel.cu", i), text, 1767225600);
    }
    class_policy("");
}

static pid_t start(void) {
    return class_start(LAB1 " --policy @policy.ini --executor slurm");
}

static void wait_to_end(pid_t process) {
    int status;
    assert_int_equal(waitpid(process, &status, 0), process);
    char *output = class_read("output");
    if (status != 0)
        fail_msg("grade ended with status %d: %s", status, output);
}

/* The grades are those of a run on this machine. */
static void assert_as_local(void) {
    char local[PATH_SIZE];
    assert_true(path_join(local, folder, "local"));
    class_grade(0, "--lab lab1 --submissions @in --policy @policy.ini --out @local");
    char *here = class_read("local/grades.csv");
    assert_string_equal(class_read("out/grades.csv"), here);
}

/* Have two grade-jobs begun? Slurm calls a task running when it has a place, before anything of it is there. */
static bool two_begun(void) {
    char text[1024];
    FILE *file = fopen(trace, "r");
    unsigned lines = 0;
    while (file != NULL && fgets(text, sizeof text, file) != NULL)
        lines++;
    if (file != NULL)
        fclose(file);
    return lines >= 2;
}

/* The numbers of running tasks, one after the other in `text`. */
static void running_tasks(char *text, size_t size) {
    const char *const arguments[] = {"squeue",           "--me",        "--noheader", "--array",
                                     "--states=RUNNING", "--format=%i", NULL};
    for (unsigned tries = 0; tries < 36000; tries++) {
        assert_int_equal(child_run(arguments, text, size), 0);
        if (two_begun() && strchr(text, '\n') != NULL && strchr(strchr(text, '\n') + 1, '\n') != NULL)
            return;
        usleep(100000);
    }
    fail_msg("no two tasks run: %s", text);
}

static void a_class_on_a_cluster(void **state) {
    need_cluster();
    write_class("SLOW", 12);
    wait_to_end(start());
    assert_as_local();
}

/* One task is cancelled and one requeued while they run: both end up judged, once. */
static void cancelled_and_requeued(void **state) {
    need_cluster();
    char tasks[4096], answer[512];
    write_class("GATE", 4);
    pid_t process = start();
    running_tasks(tasks, sizeof tasks);
    char *second = strchr(tasks, '\n');
    *second++ = '\0';
    second[strcspn(second, "\n")] = '\0';
    const char *const cancel[] = {"scancel", tasks, NULL}, *const requeue[] = {"scontrol", "requeue", second,
                                                                               NULL};
    assert_int_equal(child_run(cancel, answer, sizeof answer), 0);
    if (child_run(requeue, answer, sizeof answer) != 0)
        fail_msg("%s", answer);
    class_write("gate", "");
    wait_to_end(process);
    assert_as_local();
}

/* The node dies with what runs on it, and comes back. */
static void the_node_fails(void **state) {
    need_cluster();
    char tasks[4096];
    write_class("GATE", 3);
    pid_t process = start();
    running_tasks(tasks, sizeof tasks);
    assert_int_equal(control("stop-node"), 0);
    assert_int_equal(control("start-node"), 0);
    class_write("gate", "");
    wait_to_end(process);
    assert_as_local();
}

/* The grader is killed while the cluster works; the next one takes in what was done meanwhile. */
static void the_grader_is_killed(void **state) {
    need_cluster();
    char tasks[4096];
    write_class("GATE", 4);
    pid_t process = start();
    running_tasks(tasks, sizeof tasks);
    kill(process, SIGKILL);
    assert_int_equal(waitpid(process, NULL, 0), process);
    class_write("gate", "");
    wait_to_end(start());
    assert_as_local();
}

TESTS_BETWEEN(start_cluster, stop_cluster,
              cmocka_unit_test_setup_teardown(a_class_on_a_cluster, set_up, tear_down),
              cmocka_unit_test_setup_teardown(cancelled_and_requeued, set_up, tear_down),
              cmocka_unit_test_setup_teardown(the_node_fails, set_up, tear_down),
              cmocka_unit_test_setup_teardown(the_grader_is_killed, set_up, tear_down))
