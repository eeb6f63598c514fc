/* test_attempts_begin.c: tasks 1 to 3. */
#include "support_attempts.h"

int main(void) {
    return attempts_run("attempts_begin", 1, 3);
}
