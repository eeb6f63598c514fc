# Some hundred submissions each, two at a time, nvcc included. A limit that only a suite that hangs will meet.
$(BUILD)/tests/job/test_hostile.result $(BUILD)/tests/job/test_honest.result: TEST_TIMEOUT := 3600
