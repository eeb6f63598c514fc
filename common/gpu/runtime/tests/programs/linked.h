/* linked.h: what the files of a program that is compiled in parts (-rdc=true) share: each kind of thing that one of them
 * defines and another uses. */
#ifndef LINKED_H
#define LINKED_H

typedef int (*operation)(int);

extern __device__ int counter;
extern __device__ int table[];
extern __constant__ int offset;
extern __device__ operation chosen;
extern __managed__ int shared_by_all;

__device__ int scale(int x);
__device__ int sum_of_block(int x); /* has shared memory of its own */
__device__ void stray(int *address);

struct shape {
    __device__ virtual int sides() const;
};
struct square : shape {
    __device__ int sides() const override;
};

template <typename T> __device__ __noinline__ T twice(T x) {
    return x + x;
}
template <typename T> __global__ void doubled(T *value) {
    *value = twice(*value);
}

/* Of the other file. */
void run_part(int *device);
int part_offset(void);

#endif
