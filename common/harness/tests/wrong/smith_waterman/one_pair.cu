// Wrong: every lane reads the letters of lane 0.
#define LETTERS letters
#include "parts.h"
