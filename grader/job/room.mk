# job: judging one file.

## The kit itself
# make bench-grade [LAB=lab1]  processor seconds of one job of each lab

# What a sandbox has to withstand, by name.
JOB_ATTEMPTS := $(BUILD)/tests/job/attempts
$(JOB_ATTEMPTS): $(BUILD)/obj/grader/job/tests/attempts.o
	@mkdir -p $(@D)
	$(call say,link,$@)
	$(QUIET)$(CC) -o $@ $^ $(ALL_LDFLAGS)
# The submissions are for every lab.
job_TEST_NEEDS += $(JOB_ATTEMPTS) grade-programs
tests: $(JOB_ATTEMPTS)

.PHONY: bench-grade
bench-grade: grade-programs
	@grader/job/bench $(BUILD) $(LAB)
