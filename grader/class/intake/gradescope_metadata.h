/* gradescope_metadata.h: submission_metadata.yml of a Gradescope export: whose each submission is, and when
 * it came. */
#ifndef CLASS_GRADESCOPE_METADATA_H
#define CLASS_GRADESCOPE_METADATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gradescope_submitter {
    char *folder;             /* "submission_123" */
    char *name, *sid, *email; /* "" where the file does not say */
    int64_t created;          /* 0: not said */
};

struct gradescope_metadata {
    struct gradescope_submitter *items; /* a group's submission has several */
    size_t count;
};

/* Any bytes are safe to pass; what is not understood is passed over. false: out of memory. */
bool gradescope_metadata_parse(struct gradescope_metadata *metadata, const char *text, size_t length);
void gradescope_metadata_free(struct gradescope_metadata *metadata);

#endif
