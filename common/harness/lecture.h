/* lecture.h: the ladder of the profiling lecture (GeForce GTX 980, 2560x1600), to stand beside ours. */
#ifndef HARNESS_LECTURE_H
#define HARNESS_LECTURE_H

struct lecture_step {
    const char *step; /* as our steps are named; the lecture's last has no counterpart in labs 1 to 3 */
    double slide_ms;  /* as printed on the slide */
    double launch_ms; /* of one launch */
    const char *note; /* "" none */
};

/* NULL-step terminated. */
/* The function whose steps these are. */
extern const char *const lecture_function;
extern const struct lecture_step lecture_ladder[];
extern const char *const lecture_reason;

#endif
