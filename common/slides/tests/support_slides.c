/* support_slides.c: the tests' own figures. */
#include "slides/tests/support_slides.h"

#include "base/home.h"

struct data *test_data(void) {
    char error[512], folder[PATH_SIZE];
    struct home home;
    assert_true(home_find(&home, error, sizeof error));
    assert_true(path_join(folder, home.root, "common/slides/tests/data"));
    struct data *data = data_open(folder, error, sizeof error);
    assert_non_null(data);
    return data;
}
