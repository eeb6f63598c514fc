// Hostile: submits the reference.
#include "PROJECT_ROOT/solutions/lab1-memory-layout/kernel.cu"
