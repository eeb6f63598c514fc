/* What RFC 3629 accepts and refuses, byte by byte. */
#include "base/test.h"
#include "base/utf8.h"

static void sequences_have_their_length(void **state) {
    static const struct {
        const char *text;
        size_t length;
    } cases[] = {
        {"a", 1},
        {"\x7f", 1},
        {"\xc2\x80", 2},
        {"\xdf\xbf", 2},
        {"\xe0\xa0\x80", 3},
        {"\xed\x9f\xbf", 3},
        {"\xf0\x90\x80\x80", 4},
        {"\xf4\x8f\xbf\xbf", 4},
        {"\x80", 0},             /* begins nothing */
        {"\xc1\xbf", 0},         /* overlong */
        {"\xe0\x9f\xbf", 0},     /* overlong */
        {"\xf0\x8f\xbf\xbf", 0}, /* overlong */
        {"\xed\xa0\x80", 0},     /* a surrogate */
        {"\xf4\x90\x80\x80", 0}, /* beyond the last character */
        {"\xf5\x80\x80\x80", 0},
        {"\xc3(", 0},
        {"\xe2\x82(", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t size = strlen(cases[i].text);
        assert_int_equal(utf8_length(cases[i].text, size), cases[i].length);
        if (cases[i].length > 1) /* cut short, it is none */
            assert_int_equal(utf8_length(cases[i].text, size - 1), 0);
    }
    assert_int_equal(utf8_length("", 1), 1); /* NUL is a character */
    assert_int_equal(utf8_length("a", 0), 0);
}

TESTS(UNIT(sequences_have_their_length))
