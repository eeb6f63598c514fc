# 95 submissions, two at a time, nvcc included: longer than other suites on a machine that does other things.
$(BUILD)/tests/job/test_honest.result: TEST_TIMEOUT := 900
