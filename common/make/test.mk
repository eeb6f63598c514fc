# The tests of the rooms.

## The kit itself
# make all             every program and library
# make test            the suites of every room [ROOM=simt] [TEST_TIMEOUT=7200]
# make sanitize        the same, everything built with ASan and UBSan
# make valgrind        the same under valgrind
# make test-distributions  on bare systems [DISTRIBUTIONS=debian:12/arm64]
# make test-contributing  adds a toy lab, GPU, counter as CONTRIBUTING.md says

# ROOM="ptx simt" is several. A suite may take TEST_TIMEOUT seconds: only one that hangs does, on however slow and busy a
# machine.

TEST_TIMEOUT ?= 7200
ROOM ?= $(ROOMS)

TESTED  := $(foreach r,$(ROOM),$(if $(filter $r,$(ROOMS)),$($r_TESTS),$(error No room "$r"; rooms: $(ROOMS))))
RESULTS := $(addsuffix .result,$(TESTED))

.PHONY: test sanitize valgrind test-contributing test-distributions

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

# In a copy of the tree; what is built comes along.
test-contributing: all
	+@common/tools/test-contributing

# In a root of its own for each: as root, with debootstrap; some minutes and 1 GB each.
test-distributions:
	@common/tools/test-distributions $(DISTRIBUTIONS)
