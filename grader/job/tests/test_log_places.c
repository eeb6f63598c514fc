/* Where diagnoses point: one form. */
#include "base/test.h"
#include "job/kit_names.h"

static void one_form(void **state) {
    static const struct {
        const char *from, *to;
    } logs[] = {
        {"kernel.cu(6): error: x\nkernel.cu(12): warning", "kernel.cu:6: error: x\nkernel.cu:12: warning"},
        {"/submission/kernel.cu:9:2: error", "kernel.cu:9:2: error"},
        {"/submission/kernel.cu(6): error", "kernel.cu:6: error"},
        {"kernel.cu(x) kernel.cu() kernel.cu(6 kernel.cu", "kernel.cu(x) kernel.cu() kernel.cu(6 kernel.cu"},
        {"/submission/lab1.h(6)", "/submission/lab1.h(6)"},
        {"ptxas /tmp/tmpxft_00001a03_00000000-6_kernel.ptx, line 27;", "ptxas /tmp/kernel.ptx, line 27;"},
        {"/tmp/tmpxft_3_0-10_kernel.cu(6): error", "/tmp/kernel.cu:6: error"},
        {"tmpxft_3_0-10kernel tmpxft_", "tmpxft_3_0-10kernel tmpxft_"},
        {"x tmpxft_3_0-10_", "x "},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
        char log[128];
        snprintf(log, sizeof log, "%s", logs[i].from);
        log_places(log);
        assert_string_equal(log, logs[i].to);
    }
}

TESTS(UNIT(one_form))
