/* tokens.h: a source as tokens, without what can be changed without thinking: comments, blanks, names, numbers, texts, braces,
 * const and its like. Words of C and CUDA, and operators, stay. */
#pragma once

#include "prints/winnow.h"

/* Any bytes are safe to pass. Returns how many there are, in *tokens for the caller to free; *tokens is NULL without memory. */
size_t tokens_read(const char *text, size_t length, struct token **tokens);

/* Leave of them what an expression can be written around: words of control, brackets, assignments,
 * comparisons, ends of statements; no arithmetic, parentheses and types, no names, numbers and
 * texts. Returns how many are left. */
size_t tokens_structure(struct token *tokens, size_t count);
