/*
 * early.h: with CHECK=1: the host touches memory of both sides before the work that writes or reads it was waited for.
 * All functions do nothing without; the caller holds the client's lock.
 */
#ifndef RUNTIME_CLIENT_EARLY_H
#define RUNTIME_CLIENT_EARLY_H

#include "gpu/runtime/client/client.h"

/* Around a launch; `kernel`: its number, for one that cannot speak with the host while it runs. */
void client_early_before_launch(struct client *client);
void client_early_after_launch(struct client *client, uint32_t kernel);
/* A kernel was launched that may speak with the host while it runs: it may tell that what was copied before it is done. */
void client_early_may_hear(struct client *client);
/* An asynchronous copy to pinned host memory was given, or from it: its bytes there. */
void client_early_copied(struct client *client, uint64_t to, uint64_t bytes);
void client_early_copied_from(struct client *client, uint64_t from, uint64_t bytes);
/* The system is about to write (is_store) or read these bytes for the program, whoever's they are: with the caller's
 * lock or without. */
void client_early_system_call(const void *buffer, size_t bytes, bool is_store);
/* system_calls.c: whether the program's system calls come to client_early_system_call. */
bool client_early_has_system_calls(void);
/* The library itself is about to touch the program's memory; it has done so. */
void client_early_open(struct client *client);
void client_early_close(struct client *client);
/* The host has waited, or asked whether work has ended, or freed: all memory is its own. Tells what was touched. */
void client_early_waited(struct client *client);

#endif
