# The rooms: each becomes build/lib/libROOM.a from the *.c of its FOLDER, and of the folders in it that it names as
# its PARTS.
#   FOLDER/main_NAME.c       -> build/bin/NAME
#   FOLDER/tests/test_X.c    -> build/tests/ROOM/test_X   (CMocka)
#   FOLDER/tests/support_*.c -> linked into every test of the room
#   FOLDER/tests/fuzz_X.c    -> build/fuzz/ROOM/fuzz_X    (libFuzzer)
#                            Its first inputs, ROOM/fuzz_X/ in common/archives/seeds.tar.xz, are tests' too.
# A room includes headers of the rooms listed for it here, of each of them and of no others (lint-includes); what they call
# is linked with it. Its tests may also include the rooms of ROOM_TEST_ROOMS.
# FOLDER/room.mk, read after this file, adds what is particular to it; ROOM_TEST_NEEDS names what its
# suites need at run time (programs, compiled kernels).

ROOMS := base draw image ptx sass simt time nsys report tasks quiz problems runtime lab prints job class

# The room of the slides is tested where pandoc is: a student needs neither.
PANDOC := $(firstword $(wildcard $(addsuffix /pandoc,$(subst :, ,$(PATH)))))
ROOMS += $(if $(PANDOC),slides)

room_folder = $(or $($1_FOLDER),common/$1)

room_c_files = $(addsuffix /*.c,$(call room_folder,$1) $(addprefix $(call room_folder,$1)/,$($1_PARTS)))

draw_FOLDER    := common/base/draw
ptx_FOLDER     := common/gpu/ptx
sass_FOLDER    := common/gpu/sass
simt_FOLDER    := common/gpu/simt
time_FOLDER    := common/gpu/time
runtime_FOLDER := common/gpu/runtime
nsys_FOLDER    := common/report/nsys
image_FOLDER   := common/lab/image
problems_FOLDER := common/lab/problems
tasks_FOLDER   := common/lab/tasks
quiz_FOLDER    := common/lab/quiz
prints_FOLDER  := grader/prints
job_FOLDER     := grader/job
class_FOLDER   := grader/class
time_PARTS     := walk
runtime_PARTS  := server judge binding
simt_PARTS     := memory access control count check endless observe
report_PARTS   := document findings ncu writers
problems_PARTS := diagnosis
lab_PARTS      := commands judge judge/session judge/calls judge/measure ladder learner
class_PARTS    := intake score queue export alike

# A student's copy has no grader.
ROOMS := $(foreach r,$(ROOMS),$(if $(wildcard $(call room_folder,$r)/*.[cl]*),$r))

base_NEEDS     :=
draw_NEEDS     :=
draw_TEST_ROOMS := base
image_NEEDS    := draw base
ptx_NEEDS      := base
simt_NEEDS     := ptx base
sass_NEEDS     := base
time_NEEDS     := base
nsys_NEEDS     := base
report_NEEDS   := time base
quiz_NEEDS     := report time draw base
tasks_NEEDS    := report base
problems_NEEDS := image draw base
runtime_NEEDS  := report time simt sass ptx base
lab_NEEDS      := tasks problems draw report nsys time base
prints_NEEDS   :=
prints_TEST_ROOMS := base
job_NEEDS      := lab tasks report prints base
class_NEEDS    := lab tasks problems draw time report prints base

# System libraries a room brings with it.
draw_LIBS      := -lsodium -lm
image_LIBS     := -lpng -lm
ptx_LIBS       := -lm
simt_LIBS      := -lm
sass_LIBS      := -lglpk
time_LIBS      := -lm
nsys_LIBS      := -lsqlite3 -ljansson
report_LIBS    := -ljansson
quiz_LIBS      := -larchive -lm
runtime_LIBS   := -lzstd -llz4 -lmd
problems_LIBS  := -lm
job_LIBS       := -lmd -lseccomp
class_LIBS     := -lsqlite3 -larchive -lutf8proc -lmd -lm

# $(call closure,ROOM): the room and everything below it, users before what they use.
unique  = $(if $1,$(call unique,$(filter-out $(lastword $1),$1)) $(lastword $1))
needs   = $1 $(foreach n,$($1_NEEDS),$(call needs,$n))
closure = $(strip $(call unique,$(call needs,$1)))
archives = $(foreach r,$(call closure,$1),$(BUILD)/lib/lib$r.a)
libs     = $(foreach r,$(call closure,$1),$($r_LIBS))

define room_rules
$1_SOURCES  := $$(filter-out $(call room_folder,$1)/main_%,$$(sort $$(wildcard $(call room_c_files,$1))))
$1_OBJECTS  := $$($1_SOURCES:%.c=$(BUILD)/obj/%.o)
$1_PROGRAMS := $$(patsubst $(call room_folder,$1)/main_%.c,$(BUILD)/bin/%,$$(wildcard $(call room_folder,$1)/main_*.c))
$1_TESTS    := $$(patsubst $(call room_folder,$1)/tests/%.c,$(BUILD)/tests/$1/%,$$(sort $$(wildcard $(call room_folder,$1)/tests/test_*.c)))
$1_SUPPORT  := $$(patsubst %.c,$(BUILD)/obj/%.o,$$(sort $$(wildcard $(call room_folder,$1)/tests/support_*.c)))
$1_FUZZERS  := $$(patsubst $(call room_folder,$1)/tests/%.c,$(BUILD)/fuzz/$1/%,$$(sort $$(wildcard $(call room_folder,$1)/tests/fuzz_*.c)))

$(BUILD)/lib/lib$1.a: $$($1_OBJECTS)
	@mkdir -p $$(@D) && rm -f $$@ && ar rcs $$@ $$^

$$($1_PROGRAMS): $(BUILD)/bin/%: $(BUILD)/obj/$(call room_folder,$1)/main_%.o $(call archives,$1)
	@mkdir -p $$(@D)
	$$(call say,link,$$@)
	$$(QUIET)$$(CC) -o $$@ $$(filter %.o %.a,$$^) $(ALL_LDFLAGS) $$(call libs,$1)

$$($1_TESTS): $(BUILD)/tests/$1/%: $(BUILD)/obj/$(call room_folder,$1)/tests/%.o $$($1_SUPPORT) $(call archives,$1)
	@mkdir -p $$(@D)
	$$(call say,link,$$@)
	$$(QUIET)$$(CC) -o $$@ $$(filter %.o %.a,$$^) $(ALL_LDFLAGS) $$(call libs,$1) -lcmocka
endef
$(foreach r,$(ROOMS),$(eval $(call room_rules,$r)))

$(BUILD)/obj/%.o: %.c $(CC_STAMP)
	@mkdir -p $(@D)
	$(call say,cc,$<)
	$(QUIET)$(CC) $(ALL_CFLAGS) -c -o $@ $<

PROGRAMS := $(foreach r,$(ROOMS),$($r_PROGRAMS))
TESTS    := $(foreach r,$(ROOMS),$($r_TESTS))
FUZZERS  := $(foreach r,$(ROOMS),$($r_FUZZERS))

.PHONY: programs tests
.PRECIOUS: $(BUILD)/obj/%.o
programs: $(PROGRAMS)
tests: $(TESTS)

-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)
