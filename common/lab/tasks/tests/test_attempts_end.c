/* test_attempts_end.c: tasks 7 to the last. */
#include "support_attempts.h"

int main(void) {
    return attempts_run("attempts_end", 7, 32);
}
