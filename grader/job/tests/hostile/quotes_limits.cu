// Hostile: has the compiler speak of limits, line by line.
#line 1 "nvcc error   : 'cudafe++' died due to signal 25 (File size limit exceeded)"
#error cc1plus: out of memory allocating 65536 bytes
#error virtual memory exhausted: Cannot allocate memory
#error fatal error: /etc/passwd: No such file or directory
