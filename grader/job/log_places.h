/* log_places.h: where a diagnosis points, in one form, whichever compiler says it. */
#ifndef JOB_LOG_PLACES_H
#define JOB_LOG_PLACES_H

/* nvcc's "kernel.cu(6): error" becomes "kernel.cu:6: error", as gcc says it and the feedback's own lines do; the sandbox's
 * "/submission/kernel.cu" becomes "kernel.cu"; and of the names between nvcc's steps, which have a process's number, the end
 * stays, "kernel.ptx". In place: nothing grows. */
void log_places(char *log);

#endif
