# The stand-in for grade-job in this room's tests: judges by what stands in the kernel's comments.
GRADER_FAKE := $(BUILD)/tests/grader/fake-grade-job
$(GRADER_FAKE): $(BUILD)/obj/grader/tests/fake_grade_job.o $(call archives,grader)
	@mkdir -p $(@D)
	$(call say,link,$@)
	$(QUIET)$(CC) -o $@ $^ $(ALL_LDFLAGS) $(call libs,grader)

grader_TEST_NEEDS += $(GRADER_FAKE) $(BUILD)/bin/grade

# 95 submissions, two at a time, nvcc included: longer than other suites on a machine that does other things.
$(BUILD)/tests/grader/test_honest.result: TEST_TIMEOUT := 900
