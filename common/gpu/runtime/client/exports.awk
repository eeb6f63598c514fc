# exports.awk: turns a release's list of exported names (symbols/N.txt) into, by `kind`:
#   map    the linker's version script: every name in the toolkit's version, one more name (`also`), and
#          for this `machine` the C library's version of the functions in client/system_calls.c
#   stubs  C: a weak function for every name, which reports that it is not simulated; implementations replace it
#   driver C: a weak function for every name of the driver, which reports its name and its caller
#   alias  assembly: NAME_ptsz and NAME_ptds (per-thread default stream) jump to NAME
function base(name) { return substr(name, 1, length(name) - 5) }
function is_alias(name) { return name ~ /_pt[sd][sz]$/ && (base(name) in listed) }
/^#/ { next }
{ for (i = 1; i <= NF; i++) { names[++count] = $i; listed[$i] = 1 } }
END {
    if (kind == "map") {
        printf "%s {\n  global:\n", version
        for (i = 1; i <= count; i++) printf "    %s;\n", names[i]
        if (also != "") printf "    %s;\n", also
        print "  local: *;\n};"
        if (machine != "") printf "%s {\n};\n", machine == "x86_64" ? "GLIBC_2.2.5" : "GLIBC_2.17"
    } else if (kind == "driver") {
        print "int driver_refuse(const char *name, const void *caller);"
        for (i = 1; i <= count; i++) {
            printf "__attribute__((weak, visibility(\"default\"))) int %s(void);\n", names[i]
            printf "int %s(void) { return driver_refuse(\"%s\", __builtin_return_address(0)); }\n", names[i], names[i]
        }
    } else if (kind == "stubs") {
        print "int cudart_not_supported(const char *name, int *said);"
        for (i = 1; i <= count; i++)
            if (!is_alias(names[i])) {
                printf "__attribute__((weak, visibility(\"default\"))) int %s(void);\n", names[i]
                printf "int %s(void) { static int said; return cudart_not_supported(\"%s\", &said); }\n", names[i], names[i]
            }
    } else {
        print "#if defined(__x86_64__)\n#define GO(name) jmp name@PLT\n#else\n#define GO(name) b name\n#endif\n.text"
        for (i = 1; i <= count; i++)
            if (is_alias(names[i]))
                printf ".globl %s\n.type %s, @function\n%s: GO(%s)\n.size %s, . - %s\n", names[i], names[i], names[i], base(names[i]), names[i], names[i]
        print ".section .note.GNU-stack,\"\",@progbits"
    }
}
