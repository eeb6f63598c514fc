/*
 * commands.h: the commands of `lab`, and what they share. Each command returns the exit status.
 * `rest`: the `count` arguments after "--".
 */
#pragma once

#include "lab/settings.h"

int command_run(struct settings *settings, const char *lab, int count, char **rest);
int command_pass(struct settings *settings, const char *lab, int count, char **rest);
int command_steps(struct settings *settings, const char *lab, int count, char **rest);
int command_keys(struct settings *settings, const char *lab, int count, char **rest);
int command_record(struct settings *settings, const char *lab, int count, char **rest);
int command_experiment(struct settings *settings, const char *lab, int count, char **rest);
int command_predict(struct settings *settings, const char *lab, int count, char **rest);
int command_hint(struct settings *settings, const char *lab, int count, char **rest);
int command_solution(struct settings *settings, const char *lab, int count, char **rest);
int command_reset(struct settings *settings, const char *lab, int count, char **rest);
int command_profile(struct settings *settings, const char *lab, int count, char **rest);
int command_timeline(struct settings *settings, const char *lab, int count, char **rest);
int command_watch(struct settings *settings, const char *lab, int count, char **rest);
int command_state(struct settings *settings, const char *lab, int count, char **rest);
int command_device(struct settings *settings, const char *lab, int count, char **rest);
int command_arch(struct settings *settings, const char *lab, int count, char **rest);

/* Prints the message on stderr; returns 2, the status of a bad command line. */
int command_refuse(const char *message);
/* labs/labN-TOPIC/kernel.cu, solutions/labN-TOPIC/NAME */
void command_student_file(const struct settings *settings, char path[PATH_SIZE]);
void command_solution_file(const struct settings *settings, const char *name, char path[PATH_SIZE]);
/* A whole text file, NUL-terminated; NULL when it cannot be read. The caller frees the text. */
char *command_read_text(const char *path);
/* Runs gnuplot -c SCRIPT with at most 8 arguments, ended by NULL; the script's path is relative
 * to the root. False when there is no picture. No command fails for that: each prints the same
 * figures as text. */
bool command_plot(const struct settings *settings, const char *script, const char *const arguments[]);
