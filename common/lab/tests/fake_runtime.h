/* fake_runtime.h: what the stand-ins for device code know of that for the runtime. */
#pragma once

#include <cuda_runtime_api.h>

/* The device's clock, in microseconds. */
double *fake_clock(void);
/* Every wait from here on fails so. */
void fake_fail(cudaError_t error);

/* In shared memory, the owner's: the number of the call whose results it has taken. */
enum { FAKE_TAKEN = 3072 };

/* Given by the program. What events tell of so many microseconds; what a stream, or any, still had to do. */
double fake_told(double microseconds);
void fake_finish_stream(void);
void fake_finish(void);
