# What a sandbox has to withstand, by name.
JOB_ATTEMPTS := $(BUILD)/tests/job/attempts
$(JOB_ATTEMPTS): $(BUILD)/obj/grader/job/tests/attempts.o
	@mkdir -p $(@D)
	$(call say,link,$@)
	$(QUIET)$(CC) -o $@ $^ $(ALL_LDFLAGS)
# The submissions are for every lab.
job_TEST_NEEDS += $(JOB_ATTEMPTS) grade-programs
tests: $(JOB_ATTEMPTS)
