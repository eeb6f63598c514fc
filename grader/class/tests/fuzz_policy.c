/* fuzz_policy.c: any bytes as a policy, and as Gradescope's list of submissions. */
#include "class/intake/layout.h"
#include "class/score/policy.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct policy policy;
    struct gradescope_metadata metadata;
    char error[512] = "";
    if (policy_parse(&policy, (const char *)data, size, "fuzz.ini", error, sizeof error)) {
        struct policy_rules rules;
        policy_rules(&policy, "lab3", &rules);
        unsigned days = policy_late_days(&rules, 1772382245, 1);
        double percent = policy_late_percent(&rules, days, days / 2);
        if (!(percent >= 0 && percent <= 100))
            abort();
        if (!policy_check(&policy, ".", "fuzz.ini", error, sizeof error) &&
            (*error == '\0' || strchr(error, '\n') != NULL))
            abort();
    } else if (*error == '\0' || strchr(error, '\n') != NULL) {
        abort(); /* refused without saying why, in one line */
    }
    if (gradescope_metadata_parse(&metadata, (const char *)data, size))
        gradescope_metadata_free(&metadata);
    return 0;
}
