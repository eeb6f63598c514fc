// Hostile: looks for the reference from where it is compiled.
#include "../solutions/lab1-memory-layout/kernel.cu"
