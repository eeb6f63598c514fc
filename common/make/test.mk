# The tests of the rooms.

## The kit itself
# make all             every program and library
# make test            the suites of every room [ROOM=simt] [TEST_TIMEOUT=7200]
# make sanitize        the same, everything built with ASan and UBSan
# make valgrind        the same under valgrind
# make test-distributions  on bare systems [DISTRIBUTIONS=debian:12/arm64]
# make test-arm64      what computes and counts, for aarch64 under qemu
# make test-accessible  every page: WCAG 2.1 AA by axe-core in a browser
# make test-contributing  adds a toy lab, GPU, counter as CONTRIBUTING.md says

# ROOM="ptx simt" is several. A suite may take TEST_TIMEOUT seconds: only one that hangs does, on however slow and busy a
# machine.

TEST_TIMEOUT ?= 7200
ROOM ?= $(ROOMS)

TESTED  := $(foreach r,$(ROOM),$(if $(filter $r,$(ROOMS)),$($r_TESTS),$(error No room "$r"; rooms: $(ROOMS))))
RESULTS := $(addsuffix .result,$(TESTED))

.PHONY: test sanitize valgrind test-accessible test-contributing test-distributions test-arm64

# A suite that fails leaves its .result and lets the others run: the total gives the verdict.
test: $(RESULTS)
	@cat $(RESULTS) /dev/null | awk '{ passed += $$1; failed += $$2; skipped += $$3 } \
	    END { print passed + 0 " passed, " failed + 0 " failed, " skipped + 0 " skipped"; exit failed > 0 || NR == 0 }'

%.result: % FORCE
	@$(TEST_ENVIRONMENT) common/tools/run-test $< $(TEST_TIMEOUT) $(TEST_WRAPPER)

define room_results
$(addsuffix .result,$($1_TESTS)): $$($1_TEST_NEEDS) $$(if $$($1_FUZZERS),$(call unpacked,seeds))
endef
$(foreach r,$(ROOM),$(eval $(call room_results,$r)))

# In a sanitised build nothing may be preloaded before the sanitiser's own library.
TEST_ENVIRONMENT := BUILD=$(BUILD) $(if $(SANITIZE_FLAGS),SANITIZED=1 UBSAN_OPTIONS=print_stacktrace=1)

sanitize:
	+@$(MAKE) test SANITIZE=address,undefined ROOM='$(ROOM)'

valgrind:
	+@$(MAKE) test TEST_TIMEOUT=$$(($(TEST_TIMEOUT) * 10)) ROOM='$(ROOM)' \
	    TEST_WRAPPER='valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite'

# A profile, a class with two students' feedback as its golden files have them, every deck (ACCESSIBILITY.md).
test-accessible: course
	+@$(MAKE) lab1-profile DEVICE=sim >/dev/null
	@common/tools/accessible --test $(BUILD)/lab1/profile.html grader/class/tests/golden/*.html
	@common/tools/accessible $(addprefix $(BUILD)/course/,index.html labs.html lab1.html simulator.html quiz-lab1.html quiz-lab6.html)
	@common/tools/accessible $(DECKS:%=$(SLIDES_OUT)/%.html)

# In a copy of the tree; what is built comes along.
test-contributing: all
	+@common/tools/test-contributing

# The suites whose results could differ between machines: every form of an instruction, against an H200's recordings too.
ARM64_SUITES := $(filter simt/test_compute_% simt/test_instructions simt/test_recorded_results,$(simt_TESTS:$(BUILD)/tests/%=%))
test-arm64:
	+@common/tools/test-arm64 $(BUILD)/aarch64 $(ARM64_SUITES)

# In a root of its own for each: as root, with debootstrap; some minutes and 1 GB each.
test-distributions:
	@common/tools/test-distributions $(DISTRIBUTIONS)
