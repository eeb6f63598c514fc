// Hostile: has the compiler read the machine's users and quote them in its errors.
#include "/etc/passwd"
