// Hostile: looks for a rung of the reference's ladder, from far below.
#include "../../../../solutions/lab1-memory-layout/steps/step-0.cu"
