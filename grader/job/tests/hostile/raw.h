/* raw.h: system calls made without the C library, as a program would that hides what it calls. */
#ifndef HOSTILE_RAW_H
#define HOSTILE_RAW_H

#include <stdint.h>

static inline long raw(long number, long a, long b, long c, long d, long e) {
    long result;
#if defined __x86_64__
    register long r10 asm("r10") = d;
    register long r8 asm("r8") = e;
    asm volatile("syscall"
                 : "=a"(result)
                 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8)
                 : "rcx", "r11", "memory");
#else
    register long x8 asm("x8") = number;
    register long x0 asm("x0") = a;
    register long x1 asm("x1") = b;
    register long x2 asm("x2") = c;
    register long x3 asm("x3") = d;
    register long x4 asm("x4") = e;
    asm volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4) : "memory");
    result = x0;
#endif
    return result;
}

#endif
