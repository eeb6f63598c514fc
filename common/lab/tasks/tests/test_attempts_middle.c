/* test_attempts_middle.c: tasks 4 to 6. */
#include "support_attempts.h"

int main(void) {
    return attempts_run("attempts_middle", 4, 6);
}
