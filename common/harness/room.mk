# A runner without CUDA for the tests: the real runner and adapter on a stand-in for the runtime.
HARNESS_FAKE := $(BUILD)/tests/harness/fake-runner
harness_TEST_NEEDS := $(HARNESS_FAKE)

$(HARNESS_FAKE): common/harness/tests/fake_cuda.c common/harness/runner/runner.c \
    common/harness/runner/adapter_gaussian_blur.c $(wildcard common/harness/runner/*.h) $(CC_STAMP)
	@mkdir -p $(@D)
	$(call say,cc,$@)
	$(QUIET)$(CC) -std=c11 -D_GNU_SOURCE -Wall -Wextra -Icommon -Icommon/harness/runner \
	    -isystem "$$(common/tools/find-cuda include)" -O1 -g -o $@ $(filter %.c,$^)
