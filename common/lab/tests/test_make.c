/* What a person types that make does not know is answered by what there is; `make clean` leaves what is the learner's. The
 * scripts behind both, run as make runs them. */
#include "support_lab.h"

#include <sys/wait.h>

/* The output of a command line, both streams; its exit status. */
static int run(const char *line, char *text, size_t size) {
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    size_t length = fread(text, 1, size - 1, pipe);
    text[length] = '\0';
    int status = pclose(pipe);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static bool is_there(const char *name) {
    char path[PATH_SIZE];
    return path_join(path, folder, name) && access(path, F_OK) == 0;
}

/* The scripts find the project by where they lie: here it is the test's own. */
static int set_up(void **state) {
    char line[PATH_SIZE * 2], text[256];
    if (make_folder(state) != 0)
        return -1;
    put("labs/lab1-one", "lab.ini", "x\n");
    put("labs/lab2-two", "lab.ini", "x\n");
    put("labs/lab3-no-data", "README.md", "x\n");
    put("solutions/lab2-two/experiments", "tune.ini", "x\n");
    put("solutions/lab2-two/experiments", "tune.cu", "x\n");
    put("solutions/lab2-two/experiments", "sweep.cu", "x\n");
    put("common/tools", "none", "x\n");
    snprintf(line, sizeof line,
             "cp common/tools/unknown-goal common/tools/clean common/tools/help '%s/common/tools/' 2>&1",
             folder);
    return run(line, text, sizeof text);
}

static void an_unknown_goal_is_answered_by_what_there_is(void **state) {
    static const struct {
        const char *goal, *says;
    } table[] = {
        {"lab9", "make: there is no lab9: the labs are lab1 to lab2\n"},
        {"lab0", "make: there is no lab0: the labs are lab1 to lab2\n"},
        {"lab3", "make: there is no lab3: the labs are lab1 to lab2\n"},
        {"lab9-hint", "make: there is no lab9: the labs are lab1 to lab2\n"},
        {"lab", "make: which lab? They are lab1 to lab2: make lab1\n"},
        {"labs", "make: which lab? They are lab1 to lab2: make lab1\n"},
        {"hint", "make: hint of which lab? make lab1-hint; the labs are lab1 to lab2\n"},
        {"lab1-tune", "make: there is no lab1-tune: lab1 has hint and steps\n"},
        {"lab2-tun", "make: there is no lab2-tun: lab2 has hint, steps, sweep and tune\n"},
        {"foo", "make: there is no 'foo': make help-all says what there is; the labs are lab1 to \nlab2\n"},
        {"labs/lab2-two/kernel.cu",
         "make: labs/lab2-two/kernel.cu is missing: make lab2-reset brings it back as it \nwas handed out\n"},
        {"common/x.c", "make: there is no common/x.c, and nothing here makes it\n"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char line[PATH_SIZE], text[1024];
        snprintf(line, sizeof line, "'%s/common/tools/unknown-goal' '%s' 'hint steps' 2>&1", folder,
                 table[i].goal);
        assert_int_equal(run(line, text, sizeof text), 2);
        assert_string_equal(text, table[i].says);
    }
    char line[PATH_SIZE], text[1024];
    put("labs/lab7-late", "lab.ini", "x\n");
    put("labs/lab0-first", "tasks.ini", "x\n");
    snprintf(line, sizeof line, "'%s/common/tools/unknown-goal' lab9 hint 2>&1", folder);
    assert_int_equal(run(line, text, sizeof text), 2);
    assert_string_equal(text, "make: there is no lab9: the labs are lab0, lab1, lab2, lab7\n");
    snprintf(line, sizeof line, "'%s/common/tools/unknown-goal' lab0-steps 'hint steps' 'hint reset' 2>&1",
             folder);
    assert_int_equal(run(line, text, sizeof text), 2);
    assert_string_equal(text, "make: there is no lab0-steps: lab0 has hint and reset\n");
}

/* As a person calls it, whatever make runs this test. */
#define MAKE "env -u MAKELEVEL -u MAKEFLAGS make "

static void a_misspelt_variable_is_refused_for_every_goal(void **state) {
    static const struct {
        const char *arguments, *says;
    } table[] = {
        {"grade ROOSTER=x", "make: there is no variable ROOSTER; did you mean ROSTER?\n"},
        {"setup lab1 POLCY=x", "make: there is no variable POLCY; did you mean POLICY?\n"},
        {"DEVCE=sim", "make: there is no variable DEVCE; did you mean DEVICE?\n"},
        {"clean build/x device=sim BUILD=none", "make: there is no variable device; did you mean DEVICE?\n"},
        {"all PARALLELISM=2", "make: there is no variable PARALLELISM: make help-all names all\n"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char line[256], text[1024];
        snprintf(line, sizeof line, MAKE "%s 2>&1", table[i].arguments);
        assert_int_equal(run(line, text, sizeof text), 2);
        size_t length = strlen(table[i].says);
        assert_memory_equal(text, table[i].says, length);
        assert_non_null(strstr(text + length, "*** nothing was built.  Stop.\n"));
        assert_int_equal(strchr(text + length, '\n')[1], '\0');
    }
    char text[4096];
    assert_int_equal(run(MAKE "help PROG='./a.out A=1 B=2' CC=x CFLAGS= LDFLAGS= V=1 BUILD=none NVCC=x "
                              "CUDA_HOME=/x SANITIZE=address ROOM=simt 2>&1",
                         text, sizeof text),
                     0);
}

static void the_first_use_says_why_it_waits(void **state) {
    char text[1024];
    (void)run(MAKE "-n occupancy THREADS=32 BUILD=build/none/such 2>&1 | head -n 1; rm -rf build/none", text,
              sizeof text);
    assert_string_equal(text, "First the kit's own programs are built, once: this takes a minute or two.\n");
}

/* Of two copies the older one says what the newer one, as git fetched it, has beyond it. */
static void doctor_says_what_is_new(void **state) {
    char line[4 * PATH_SIZE], text[8192];
    static const char pushes[] =
        "cd '%s' && export HOME=$PWD GIT_CONFIG_GLOBAL=$PWD/git && git config --global user.email a@b && "
        "git config --global user.name a && mkdir new && cd new && git init -q && mkdir -p common/tools && "
        "cd '%s'/common/tools && cp doctor requirements.sh requirements.txt find-cuda ~/new/common/tools/ && cd ~/new && "
        "printf '# C\n\n## 1.2.0 (2026-01-01)\n\n- Old.\n' >CHANGELOG.md && git add -A && git commit -qm 1 && "
        "git clone -q . ../old && sed -i '2a ## 1.10.0 (2026-02-01)\\n\\n- Much.\\n' CHANGELOG.md && "
        "git commit -qam 2 && ../old/common/tools/doctor >../before; cd ../old && git fetch -q && "
        "common/tools/doctor >../after; head -n 3 ../before; echo; head -n 5 ../after";
    char here[PATH_SIZE];
    assert_non_null(getcwd(here, sizeof here));
    snprintf(line, sizeof line, pushes, folder, here);
    assert_int_equal(run(line, text, sizeof text), 0);
    const char *after = strstr(text, "\n\n");
    assert_non_null(after);
    assert_true(strstr(text, "newer") > after); /* nothing was fetched before */
    assert_non_null(strstr(text, "ok  version            1.2.0, commit "));
    assert_non_null(strstr(after, "--  newer              1.10.0 (2026-02-01)"));
    assert_non_null(strstr(after, "\n    - Much.\n"));
    assert_null(strstr(after, "Old"));
}

/* A stand-in for docker tells what it was asked, and has no image where there is a file `none`. */
static void a_dev_container_takes_the_published_image(void **state) {
    char line[4 * PATH_SIZE], text[1024];
    put("bin", "docker", "#!/bin/sh\necho \"docker $*\"\n[ \"$1\" != pull ] || [ ! -e none ]\n");
    snprintf(
        line, sizeof line,
        "mkdir -p '%s/copy' && cp -r .devcontainer '%s/copy/' && cd '%s/copy' && chmod +x ../bin/docker && "
        "PATH=%s/bin:$PATH && git init -q && .devcontainer/image && "
        "git remote add origin git@github.com:Me/The-Kit.git && .devcontainer/image && touch none && "
        ".devcontainer/image",
        folder, folder, folder, folder);
    assert_int_equal(run(line, text, sizeof text), 0);
    assert_string_equal(text, "There is no published image of this copy: it is built here.\n"
                              "docker build --target bare --tag gpu-performance-labs:dev .\n"
                              "docker pull --quiet ghcr.io/me/the-kit:latest\n"
                              "docker tag ghcr.io/me/the-kit:latest gpu-performance-labs:dev\n"
                              "docker pull --quiet ghcr.io/me/the-kit:latest\n"
                              "There is no published image of me/the-kit: it is built here.\n"
                              "docker build --target bare --tag gpu-performance-labs:dev .\n");
}

/* WSL's folder of the driver is searched where it is there, after what the caller named. */
static void the_driver_of_wsl_is_found(void **state) {
    char line[4 * PATH_SIZE], text[1024];
    put("wsl", "libcuda.so.1", "x");
    snprintf(line, sizeof line,
             "for folder in '%s/wsl' /nowhere; do WSL_LIB=$folder LD_LIBRARY_PATH=/own " MAKE
             "--eval 'show:;@echo $$LD_LIBRARY_PATH' show; done",
             folder);
    assert_int_equal(run(line, text, sizeof text), 0);
    char wanted[PATH_SIZE + 32];
    snprintf(wanted, sizeof wanted, "/own:%s/wsl\n/own\n", folder);
    assert_string_equal(text, wanted);
}

/* With a pip that brings nothing: what a program of the driver API is linked with is there. */
static void setup_brings_libcuda(void **state) {
    char line[4 * PATH_SIZE], text[1024];
    put("bin", "python3",
        "#!/bin/bash\n[[ \"$*\" =~ --target\\ ([^ ]+) ]] || exit 0\n"
        "mkdir -p ${BASH_REMATCH[1]}/nvidia/cu13/{lib,bin} && cd $_ && cp /bin/true nvcc\n");
    snprintf(line, sizeof line,
             "cp common/tools/get-cuda common/tools/cuda-toolkit.txt '%s/common/tools/' && cd '%s' && "
             "chmod +x bin/python3 && PATH=$PWD/bin:$PATH common/tools/get-cuda && "
             "readlink .toolkit/nvidia/cu13/lib/stubs/libcuda.so",
             folder, folder);
    assert_int_equal(run(line, text, sizeof text), 0);
    assert_non_null(strstr(text, "\n../../../../../build/lib/cuda/libcuda.so.1\n"));
}

/* NVIDIA's toolkit is there for two machines: each wheel has a hash for both, and each machine has a folder of its own. */
static void the_toolkit_is_the_machine_s(void **state) {
    static const char *const machines[][2] = {
        {"x86_64", "x86_64-linux"}, {"aarch64", "sbsa-linux"}, {"riscv64", NULL}};
    char line[4 * PATH_SIZE], text[1024], expected[PATH_SIZE];
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        snprintf(text, sizeof text, "#!/bin/sh\n[ \"$1\" = -m ] && echo %s || echo Linux\n", machines[i][0]);
        put("bin", "uname", text);
        put("bin", "python3",
            "#!/bin/bash\n[[ \"$*\" =~ --target\\ ([^ ]+) ]] || exit 0\n"
            "mkdir -p ${BASH_REMATCH[1]}/nvidia/cu13/{lib,bin} && cd $_ && "
            "printf '#!/bin/sh\\necho release 13.0\\n' > nvcc && chmod +x nvcc\n"
            "mkdir -p ../targets/{x86_64-linux,sbsa-linux}/lib && touch ../targets/{x86_64-linux,sbsa-linux}/lib/libcudart.so\n");
        snprintf(
            line, sizeof line,
            "cp common/tools/get-cuda common/tools/find-cuda common/tools/cuda-toolkit.txt '%s/common/tools/' && cd '%s' && chmod +x bin/* && "
            "export PATH=$PWD/bin:$PATH CUDA_HOME=$PWD/.toolkit/nvidia/cu13 && { common/tools/get-cuda 2>&1 && "
            "common/tools/find-cuda library; } | tail -n 1 | grep -o 'targets/[^/]*\\|cannot be downloaded'",
            folder, folder);
        assert_int_equal(run(line, text, sizeof text), 0);
        snprintf(expected, sizeof expected, "%s%s\n",
                 machines[i][1] != NULL ? "targets/" : "cannot be downloaded",
                 machines[i][1] != NULL ? machines[i][1] : "");
        assert_string_equal(text, expected);
    }
    run("cat common/tools/cuda-*.txt | grep -c ==; cat common/tools/cuda-*.txt | grep -c sha256:", text,
        sizeof text);
    assert_string_equal(text, "7\n14\n");
}

/* In sass-listing's output, whose instructions have 16 bytes. */
static void innermost_loops_are_marked(void **state) {
    char text[1024];
    run("printf -- '  .L_0:\n    0 A\n  .L_1:\n    1 B\n    2 BRA `(.L_1)\n    3 BRA `(.L_0)\n  .L_2:\n    4 BRA `(.L_2)\n'"
        " | awk -f common/gpu/sass/loops.awk",
        text, sizeof text);
    assert_string_equal(text, "  .L_0:\n    0 A\n  .L_1:  a loop of 32 bytes\n|   1 B\n|   2 BRA `(.L_1)\n"
                              "    3 BRA `(.L_0)\n  .L_2:\n    4 BRA `(.L_2)\n");
}

/* Else a command would refuse its own: options handed on to programs, and what has a value unless it is given. */
static void the_help_names_every_variable(void **state) {
    char text[1024];
    assert_int_equal(
        run("{ common/tools/help variables; common/tools/help variables; "
            "cat Makefile common/make/*.mk common/*/room.mk grader/*/room.mk | "
            "sed -nE 's/^([A-Z_]+) *[?]=.*/\\1/p; s/call option,[a-z-]+,([A-Z_]+)/\\n\\1\\n/gp' | "
            "grep -xE '[A-Z_]+' | sort -u; } | sort | uniq -u",
            text, sizeof text),
        0);
    assert_string_equal(text, "");
}

static void the_help_fits_80_columns(void **state) {
    char text[1024];
    assert_int_equal(
        run("{ common/tools/help && common/tools/help all; } 2>&1 | awk 'length > 80'", text, sizeof text),
        0);
    assert_string_equal(text, "");
}

static void clean_leaves_what_is_the_learners(void **state) {
    char line[PATH_SIZE], text[1024];
    snprintf(line, sizeof line, "'%s/common/tools/clean' build 2>&1", folder);
    assert_int_equal(run(line, text, sizeof text), 0);
    assert_string_equal(text, "nothing to delete: there is no build/\n");

    put("build/stamp", "cc", "x\n");
    put("build/lab2", "kernel-20260102-030405.cu", "x\n"); /* as an earlier kit kept it */
    put("labs/lab2-two", "kernel.cu", "x\n");
    put("labs/lab2-two", ".progress.ini", "x\n");
    assert_int_equal(run(line, text, sizeof text), 0);
    assert_false(is_there("build"));
    assert_true(is_there("labs/lab2-two/kernel.cu") && is_there("labs/lab2-two/.progress.ini"));
    assert_true(is_there("labs/lab2-two/backups/kernel-20260102-030405.cu"));

    /* a score that nothing can take over is not deleted */
    put("build/stamp", "cc", "x\n");
    put("build/lab1", "report.json", "x\n");
    assert_int_equal(run(line, text, sizeof text), 1);
    assert_non_null(strstr(text, "your score in build/lab1/report.json could not be kept"));
    assert_true(is_there("build/lab1/report.json"));

    /* a folder that is none of ours neither */
    snprintf(line, sizeof line, "'%s/common/tools/clean' labs 2>&1", folder);
    assert_int_equal(run(line, text, sizeof text), 1);
    assert_non_null(strstr(text, "not deleted"));
    assert_true(is_there("labs/lab2-two/kernel.cu"));
}

/* Before anything is built again the scores are shown all the same. */
static void scores_are_shown_without_a_build(void **state) {
    char line[PATH_SIZE], text[4096], path[PATH_SIZE];
    put("labs/lab1-one", "kernel.cu", "x\n");
    assert_true(path_print(path, "%s/labs/lab1-one/.progress.ini", folder));
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("passed = yes\nhints = 2\n\n[best]\npoints = 91.5\nmax = 100\n\n[last]\npoints = 12\n", file);
    assert_int_equal(fclose(file), 0);
    snprintf(line, sizeof line, "BUILD=none '%s/common/tools/help' 2>&1", folder);
    assert_int_equal(run(line, text, sizeof text), 0);
    assert_non_null(
        strstr(text, "  lab1   one                          best 91.5, passed; not built: make lab1\n"));
    assert_non_null(strstr(text, "  lab7   late                         not built: make lab7\n"));
    assert_non_null(strstr(text, "\nNext: edit labs/lab2-two/kernel.cu, then make setup lab2\n"));
}

TESTS_BETWEEN(set_up, remove_folder, UNIT(an_unknown_goal_is_answered_by_what_there_is),
              UNIT(a_misspelt_variable_is_refused_for_every_goal), UNIT(the_first_use_says_why_it_waits),
              UNIT(innermost_loops_are_marked), UNIT(doctor_says_what_is_new),
              UNIT(a_dev_container_takes_the_published_image), UNIT(the_driver_of_wsl_is_found),
              UNIT(setup_brings_libcuda), UNIT(the_toolkit_is_the_machine_s),
              UNIT(the_help_names_every_variable), UNIT(the_help_fits_80_columns),
              UNIT(clean_leaves_what_is_the_learners), UNIT(scores_are_shown_without_a_build))
