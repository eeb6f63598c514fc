/* features.h: what a GPU has and this one has not, in the words a CUDA programmer knows it by. Private to this room. */
#ifndef PTX_FEATURES_H
#define PTX_FEATURES_H

#include <stdbool.h>
#include <stddef.h>

struct ptx_feature {
    const char *name;   /* fits "uses NAME, which is not simulated" */
    bool several;       /* ... "which are not" */
    const char *advice; /* what to do instead, or NULL */
};

/* By the words of a mnemonic ("cp.async.bulk.tensor"), `head` bytes of which are its first; NULL: no known feature. */
const struct ptx_feature *ptx_feature_of_mnemonic(const char *text, size_t head, size_t length);
/* By a word of a mnemonic or a declaration, without its dot: "b128". */
const struct ptx_feature *ptx_feature_of_word(const char *text, size_t length);
/* By a special register's name with its percent sign. */
const struct ptx_feature *ptx_feature_of_register(const char *text, size_t length);
/* By a function that kernels call and nobody defines. Never NULL. */
const struct ptx_feature *ptx_feature_of_function(const char *name);

extern const struct ptx_feature ptx_feature_clusters, ptx_feature_textures, ptx_feature_wide;

#endif
