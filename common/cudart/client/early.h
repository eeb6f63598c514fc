/*
 * early.h: with CHECK=1: the host touches memory of both sides before the work that writes it was waited for. All
 * functions do nothing without; the caller holds the client's lock.
 */
#ifndef CUDART_CLIENT_EARLY_H
#define CUDART_CLIENT_EARLY_H

#include "cudart/client/client.h"

/* Around a launch; `kernel`: its number, for one that cannot speak with the host while it runs. */
void early_before_launch(struct client *client);
void early_after_launch(struct client *client, uint32_t kernel);
/* An asynchronous copy to host memory was given: its bytes. */
void early_copied(struct client *client, uint64_t to, uint64_t bytes);
/* The library itself is about to touch the program's memory; it has done so. */
void early_open(struct client *client);
void early_close(struct client *client);
/* The host has waited, or asked whether work has ended, or freed: all memory is its own. Tells what was touched. */
void early_waited(struct client *client);

#endif
