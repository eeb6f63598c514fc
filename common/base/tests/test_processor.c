/* Time that a process waits for a processor is the machine's, and all other time its own. */
#include "base/child.h"
#include "base/clock.h"
#include "base/processor.h"
#include "base/test.h"

#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

static void expect(double value, double is) {
    if (!(value > is - 1e-9 && value < is + 1e-9))
        fail_msg("%g is not %g", value, is);
}

/* Read where the processes together have had so much. */
static double read_at(struct fair_clock *clock, double now, double ran, double waited, bool runnable) {
    const struct processor_use use = {.ran = ran, .waited = waited, .runnable = runnable};
    return fair_clock_read(clock, now, &use);
}

static void test_fair_clock(void **state) {
    struct fair_clock clock;
    fair_clock_start(&clock, 100, &(struct processor_use){.ran = 5, .waited = 7});
    expect(read_at(&clock, 101, 6, 7, true), 1);  /* computed */
    expect(read_at(&clock, 102, 6, 7, false), 2); /* slept */
    expect(read_at(&clock, 104, 6, 9, true), 2);  /* waited */
    expect(read_at(&clock, 105, 6, 9.25, true), 2.75);
    expect(read_at(&clock, 106, 1, 2, true), 3.75); /* somebody has ended: what he waited stays */
    expect(read_at(&clock, 107, 1, 2.5, true), 4.25);
}

/* The system tells how long somebody was in the queue when he has got a processor. */
static void test_fair_clock_of_the_queue(void **state) {
    struct fair_clock clock;
    fair_clock_start(&clock, 0, &(struct processor_use){0});
    expect(read_at(&clock, 1, 1, 0, true), 1);
    expect(read_at(&clock, 2, 1, 0, true), 1); /* in the queue, it seems */
    expect(read_at(&clock, 9, 1, 0, true), 1);
    expect(read_at(&clock, 10, 1.5, 8.5, true), 1.5);
    /* and one who was in the queue whenever somebody looked, and otherwise slept */
    expect(read_at(&clock, 11, 1.5, 8.5, true), 1.5);
    expect(read_at(&clock, 12, 1.75, 8.5, true), 3.5);
}

/* Of many who wait at once none can lay up time for later. */
static void test_fair_clock_saves_nothing(void **state) {
    struct fair_clock clock;
    fair_clock_start(&clock, 0, &(struct processor_use){0});
    expect(read_at(&clock, 10, 0, 800, true), 0);
    expect(read_at(&clock, 25, 0, 800, false), 15);
}

/* A program that takes a processor from whoever is less important, on the first that this process may use. */
static pid_t start(bool important, double computes) {
    pid_t parent = getpid(), process = fork();
    if (process != 0)
        return process;
    cpu_set_t all, first;
    CPU_ZERO(&first);
    sched_getaffinity(0, sizeof all, &all);
    for (int i = 0; CPU_COUNT(&first) == 0; i++)
        if (CPU_ISSET(i, &all))
            CPU_SET(i, &first);
    const struct sched_param none = {.sched_priority = 0};
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent ||
        sched_setaffinity(0, sizeof first, &first) != 0 ||
        (!important && sched_setscheduler(0, SCHED_IDLE, &none) != 0))
        _exit(1);
    while (clock_cpu_seconds() < computes)
        continue;
    pause();
    _exit(1);
}

static enum patience_state wait_for(pid_t process, double seconds, struct patience *patience) {
    enum patience_state state = PATIENCE_LASTS;
    patience_begin(patience, seconds);
    while ((state = patience_look(patience, &process, 1)) == PATIENCE_LASTS)
        nanosleep(&(struct timespec){.tv_nsec = 1000000L * (patience_ms(patience) % 1000)}, NULL);
    kill(process, SIGKILL);
    waitpid(process, NULL, 0);
    return state;
}

static void test_patience(void **state) {
    struct patience patience;
    /* it sleeps, it computes: its own time, and no more than was given */
    assert_int_equal(wait_for(start(true, 0), 0.3, &patience), PATIENCE_OVER);
    assert_true(patience.elapsed < FAIR_CLOCK_MOST * 0.3);
    assert_int_equal(wait_for(start(true, 1e9), 0.3, &patience), PATIENCE_OVER);
}

static void test_patience_with_a_busy_machine(void **state) {
    struct patience patience;
    pid_t other = start(true, 1e9);
    assert_int_equal(wait_for(start(false, 1e9), 0.3, &patience), PATIENCE_BUSY);
    assert_true(patience.elapsed >= FAIR_CLOCK_MOST * 0.3 && patience.ran < 0.3);
    /* and one that is done sleeps, however busy the machine is */
    assert_int_equal(wait_for(start(true, 0), 0.3, &patience), PATIENCE_OVER);
    kill(other, SIGKILL);
    waitpid(other, NULL, 0);
}

static void test_child_wait_fair(void **state) {
    assert_int_equal(child_wait_fair(start(true, 0), 0.2), CHILD_TIMEOUT);
    const char *const arguments[] = {"sh", "-c", "exit 3", NULL};
    struct child child = {
        .arguments = arguments, .input = CHILD_NOTHING, .output = CHILD_NOTHING, .errors = CHILD_NOTHING};
    assert_int_equal(child_wait_fair(child_start(&child), 600), 3);
    assert_int_equal(child_wait_fair(-1, 600), CHILD_NOT_STARTED);
}

TESTS(UNIT(test_fair_clock), UNIT(test_fair_clock_of_the_queue), UNIT(test_fair_clock_saves_nothing),
      UNIT(test_patience), UNIT(test_patience_with_a_busy_machine), UNIT(test_child_wait_fair))
