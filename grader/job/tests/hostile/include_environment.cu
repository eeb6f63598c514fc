// Hostile: has the compiler read the grader's environment, its seed for one.
#include "/proc/self/environ"
