// Hostile: has the compiler's first words be the sandbox's.
#line 1 "sandbox: its limits cannot be set: Cannot allocate memory"
this is no C
