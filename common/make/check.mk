# Formatting, static checks, the size of the tree, fuzzing.

## The kit itself
# make format          formats every C file and header as .clang-format says
# make lint            format, rooms, links, clang-tidy, cppcheck, shellcheck
# make fuzz            libFuzzer on every reader of foreign bytes
#                      [SECONDS=600] [ROOM=ptx]
# make fuzz-replay     every fuzzer's seeds once more, with ASan and UBSan
# make count           lines and files by room and kind, and the budget

# $(call in_rooms,PATTERNS): files of every room's folder.
in_rooms = $(sort $(wildcard $(foreach r,$(ROOMS),$(addprefix $(call room_folder,$r)/,$1))))
C_FILES     := $(call in_rooms,*.c */*.c)
H_FILES     := $(call in_rooms,*.h */*.h) $(sort $(wildcard labs/*/*.h))
# One submission is UTF-16 on purpose.
CUDA_FILES  := $(filter-out %_nul_bytes.cu,$(sort $(wildcard labs/*/*.cu solutions/*/*.cu solutions/*/*/*.cu)) \
                   $(call in_rooms,*/*.cu tests/*/*.cu tests/*/*/*.cu))
SHELL_FILES := $(shell grep -lsE '^\#!/bin/(ba)?sh|^\# shellcheck shell' common/tools/* common/ci/* .devcontainer/image .ci/run grader/gradescope/* grader/student-kit/* grader/class/pictures \
                   $(call in_rooms,*.sh tests/*.sh tests/*/*.sh))

CLANG        ?= clang
CLANG_FORMAT ?= clang-format
CLANG_TIDY   ?= clang-tidy

.PHONY: format lint lint-format lint-waist lint-includes lint-links lint-tidy lint-cppcheck lint-shell fuzz fuzz-replay replay
format:
	$(CLANG_FORMAT) -i $(C_FILES) $(H_FILES) $(CUDA_FILES)

lint: lint-format lint-waist lint-includes lint-links lint-shell lint-cppcheck lint-tidy

# Which rooms' headers a room includes: those that NEEDS lists, each of them.
lint-includes:
	@common/tools/room-includes '$(patsubst -I%,%,$(filter -I%,$(ALL_CFLAGS)))' \
	    $(foreach r,$(ROOMS),'$r|$(call room_folder,$r)|$($r_NEEDS)|$($r_TEST_ROOMS)')

# What Markdown files name: links, files, folders, commands and variables of make.
lint-links:
	@common/tools/check-links

# What reads reports and what judges and grades run no simulator, so they hold none.
ABOVE_WAIST := $(addprefix $(BUILD)/bin/,lab grade grade-job report-text report-html)
lint-waist: $(ABOVE_WAIST)
	@for program in $^; do \
	    found=$$(nm $$program | grep -E ' (simt|ptx)_') || continue; \
	    echo "$$program holds the simulator: $$(echo "$$found" | wc -l) symbols, e.g. $$(echo "$$found" | sed -n '1s/.* //p')" >&2; \
	    exit 1; \
	done

lint-format:
	@$(CLANG_FORMAT) --dry-run -Werror $(C_FILES) $(H_FILES) $(CUDA_FILES)

lint-shell:
	@shellcheck -x $(SHELL_FILES)

# What was found is kept for the tree at this path: a file that is as it was is not looked at again.
lint-cppcheck:
	@known="$${XDG_CACHE_HOME:-$${HOME:-}/.cache}/gpu-performance-labs/cppcheck$(CURDIR)"; mkdir -p "$$known" 2>/dev/null || known=; \
	cppcheck --quiet $${known:+--cppcheck-build-dir="$$known"} --std=c11 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
	    $(CPPCHECK_OFF:%=--suppress=%) -D_GNU_SOURCE -D__linux__ -D__x86_64__ -Icommon -Igrader $(C_FILES)

# Leaks, bounds and uninitialised values are clang-analyzer's, which follows what cppcheck guesses at; that a signed
# shift to the right keeps the sign is what gcc and clang promise; the AST errors are limits of cppcheck's own parser;
# it does not know `%1$d`, which gcc checks itself.
CPPCHECK_OFF := missingIncludeSystem memleak arrayIndexOutOfBoundsCond uninitvar ctuuninitvar invalidPointerCast invalidPrintfArgType_sint \
                shiftTooManyBitsSigned compareBoolExpressionWithInt internalAstError

# One file at a time, so that -j spreads them and only what changed is looked at again. The toolkit is looked for once.
# Nearly all the time is clang-analyzer's. It follows a third of the paths it would by default: what it ever found here
# it finds so, too. A test's source it does not look at: tests run whole under the sanitizers.
TIDY_CUDA = $(eval TIDY_CUDA := $$(shell common/tools/find-cuda include))$(TIDY_CUDA)
lint-tidy: $(C_FILES:%=$(BUILD)/tidy/%.ok)
$(BUILD)/tidy/%.c.ok: %.c .clang-tidy
	@CLANG=$(CLANG) CLANG_TIDY=$(CLANG_TIDY) common/tools/tidy $@ $< '$(if $(findstring /tests/,$<),-clang-analyzer-*)' \
	    -std=c11 -D_GNU_SOURCE -Icommon -Igrader -isystem $(TIDY_CUDA) -Xclang -analyzer-config -Xclang max-nodes=75000

# The budget: the lines and files that git holds.
BUDGET_LINES := 217500
BUDGET_FILES := 1565
.PHONY: count
count:
	@common/tools/count-lines $(BUDGET_LINES) $(BUDGET_FILES) $(foreach r,$(ROOMS),$(call room_folder,$r))

# fuzz_*.c, SECONDS each; what is found stays in build/fuzz. A fuzzer's own room, and those in ROOM_FUZZ_WITH, are built with clang
# and watched; the other rooms below it are taken as they are, and so is what a room compiles in a way of its own.
SECONDS ?= 60
FUZZ_FLAGS := -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined

$(BUILD)/fuzz/obj/%.o: %.c $(CC_STAMP)
	@mkdir -p $(@D)
	$(call say,clang,$<)
	$(QUIET)$(CCACHE) $(CLANG) $(filter-out -Werror,$(ALL_CFLAGS)) $(FUZZ_FLAGS) -c -o $@ $<

define fuzz_rules
$$($1_FUZZERS): $(BUILD)/fuzz/$1/%: $(BUILD)/fuzz/obj/$(call room_folder,$1)/tests/%.o $(foreach r,$1 $($1_FUZZ_WITH),$$($r_SOURCES:%.c=$(BUILD)/fuzz/obj/%.o)) \
    $$(filter-out %/lib$1.a,$(call archives,$1))
	@mkdir -p $$(@D)
	$$(call say,link,$$@)
	$$(QUIET)$(CLANG) -fsanitize=fuzzer,address,undefined -o $$@ $$(filter %.o %.a,$$^) $(ALL_LDFLAGS) $$(call libs,$1)
endef
$(foreach r,$(ROOMS),$(if $($r_FUZZERS),$(eval $(call fuzz_rules,$r))))

# What asks for more memory than there is gets none, and has to say so. Seeds: build/unpacked/seeds/ROOM/fuzz_X/ (one more: a file there,
# then `make pack ARCHIVE=seeds`); what is learnt goes to build/fuzz/ROOM/fuzz_X.corpus/.
fuzz: $(foreach r,$(ROOM),$($r_FUZZERS:%=%.run))
$(FUZZERS:%=%.run): $(call unpacked,seeds)
%.run: % FORCE
	@mkdir -p $*.corpus
	@echo "$(notdir $*): $(SECONDS) s of fuzzing"
	@ASAN_OPTIONS=allocator_may_return_null=1 $< -max_total_time=$(SECONDS) -timeout=10 -rss_limit_mb=2048 -malloc_limit_mb=1048576 -verbosity=1 -print_final_stats=1 \
	    -artifact_prefix=$*. $$(ls $*.dict 2>/dev/null | sed s/^/-dict=/) $*.corpus $$(ls -d $(*:$(BUILD)/fuzz/%=$(UNPACKED)/seeds/%) 2>/dev/null) \
	    > $*.log 2>&1 || { tail -n 40 $*.log; exit 1; }
	@echo "$(notdir $*): $(SECONDS) s, nothing found; $$(sed -n 's/.*number_of_executed_units: *//p' $*.log) inputs tried"

# The same fuzzers, by gcc, with the archives of the sanitised build and base/tests/replay.c in libFuzzer's place.
fuzz-replay:
	+@$(MAKE) replay SANITIZE=address,undefined ROOM='$(ROOM)'

REPLAYS := $(FUZZERS:$(BUILD)/fuzz/%=$(BUILD)/replay/%)
define replay_rules
$$($1_FUZZERS:$(BUILD)/fuzz/%=$(BUILD)/replay/%): $(BUILD)/replay/$1/%: $(BUILD)/obj/$(call room_folder,$1)/tests/%.o \
    $(BUILD)/obj/common/base/tests/replay.o $(call archives,$1)
	@mkdir -p $$(@D)
	$$(QUIET)$$(CC) -o $$@ $$(filter %.o %.a,$$^) $(ALL_LDFLAGS) $$(call libs,$1)
endef
$(foreach r,$(ROOMS),$(if $($r_FUZZERS),$(eval $(call replay_rules,$r))))

replay: $(foreach r,$(ROOM),$($r_FUZZERS:$(BUILD)/fuzz/%=$(BUILD)/replay/%.run))
$(REPLAYS:%=%.run): $(call unpacked,seeds)
$(REPLAYS:%=%.run): %.run: % FORCE
	@ASAN_OPTIONS=allocator_may_return_null=1 $< $$(ls -d $(*:$(BUILD)/replay/%=$(UNPACKED)/seeds/%) 2>/dev/null) > $*.log 2>&1 || { tail -n 100 $*.log; exit 1; }
	@echo "$(notdir $*): $$(tail -n 1 $*.log)"

-include $(shell find $(BUILD)/fuzz/obj -name '*.d' 2>/dev/null)
