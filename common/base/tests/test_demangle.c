/* test_demangle.c: names as nvcc mangles them, and as c++filt prints them, without parameters. */
#include "base/demangle.h"
#include "base/test.h"

static void names(void **state) {
    static const char *const cases[][2] = {
        {"blur", "blur"},
        {"__nv_static_20__dec43538_4_a_cu_add__Z2skPi", "sk"},
        {"__nv_static_20__dec43538_4_a_cu_add_plain", "plain"},
        {"__nv_static_20__dec43538_4_a_cu_add", "__nv_static_20__dec43538_4_a_cu_add"},
        {"__nv_static_99999__a__Z2skPi", "__nv_static_99999__a__Z2skPi"},
        {"__nv_static_", "__nv_static_"},
        {"_Z4blurPKhPhii", "blur"},
        {"_ZN3lab4tileILi16EfEEvPf", "lab::tile<16, float>"},
        {"_Z5scaleIfLi4ELb1EEvPT_", "scale<float, 4, true>"},
        {"_Z4copyIPKfEvT_i", "copy<float const*>"},
        {"_Z4listI3vecILin3EEEvv", "list<vec<-3>>"},
        {"_ZN12_GLOBAL__N_13addEPf", "(anonymous namespace)::add"},
        {"_ZL6hiddenPf", "hidden"},
        {"_Z", "_Z"},
        {"_Z99short", "_Z99short"},
        {"_ZN", "_ZN"},
        {"_Z1fIXadL_Z1gvEEEvv", "_Z1fIXadL_Z1gvEEEvv"}, /* an expression: left as it is */
        {"_ZN3cub6detail8for_each13static_kernelINS2_10policy_hubEEEvT0_", "for_each::static_kernel<...>"},
        {"", ""},
    };
    char text[128];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        demangle_kernel(cases[i][0], text, sizeof text);
        assert_string_equal(text, cases[i][1]);
    }
}

/* A short buffer is filled and ends with a NUL. */
static void short_buffer(void **state) {
    char text[4];
    demangle_kernel("_Z4blurPKhPhii", text, sizeof text);
    assert_string_equal(text, "blu");
    demangle_kernel("extern_c_name", text, sizeof text);
    assert_string_equal(text, "ext");
    demangle_kernel("_Z4blurPKhPhii", text, 1);
    assert_string_equal(text, "");
}

TESTS(UNIT(names), UNIT(short_buffer))
