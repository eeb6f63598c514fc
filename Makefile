# GPU Performance Labs: the one entry. `make` alone prints how to start, where every lab stands and what comes next.
# What stands here is for all: the order of things. The rest has a fragment of its own in common/make/ (tools and flags,
# the rooms, the labs, tests, checks) or stands in the room it is about (room.mk). The lines below each "##" at the head
# of these files are what `make help-all` prints, "Start" what `make` does: common/tools/help gathers them. A variable that
# none of these lines names, as in "DEVICE=sim", is refused on the command line.

## Start
# make setup           install what is missing; `make doctor` says what is here
# make lab1            build, check, time and explain labs/lab1-*/kernel.cu
# make help-all        every command and its variables

## This machine
# make setup DEV=1     also what work on the kit needs; SLIDES=1: the slides'
# make doctor          what is here, what is missing, what brings it
# make clean           delete what was built; kernels, backups and scores stay

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules --no-print-directory
SHELL := /bin/bash

# Nobody reads a misspelt variable, so that the command would do something else than was meant.
ifeq ($(MAKELEVEL),0)
GIVEN := $(foreach v,$(.VARIABLES),$(if $(filter command,$(origin $v)),'$v'))
ifneq ($(if $(GIVEN),$(shell common/tools/unknown-variable $(GIVEN) || echo refused)),)
$(error nothing was built)
endif
endif

# A switch is on by any word, also by 0 or no: whoever writes that means something else.
SWITCHES := DEV DRY_RUN FORCE REHEARSE REPLACE RESCORE SLIDES UNSAFE V YES
$(foreach v,$(SWITCHES),$(if $(filter-out 1 yes,$($v)),$(error $v=$($v): write $v=1, or leave $v out)))

# As many jobs as there are cores, unless -j says otherwise.
ifeq ($(MAKELEVEL)$(filter -j% --jobs% --jobserver%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 2)
endif

ifneq ($(and $(filter setup lab%,$(MAKECMDGOALS)),$(word 2,$(MAKECMDGOALS))),)

# `make setup lab1 lab2`: what setup installs must be seen by what follows, and a lab is timed alone. So these goals
# are made one after the other, whatever -j says, each in a make of its own.
.PHONY: one-by-one $(MAKECMDGOALS)
one-by-one:
	+@for goal in $(sort $(filter setup,$(MAKECMDGOALS))) $(filter-out setup,$(MAKECMDGOALS)); do $(MAKE) $$goal || exit; done
$(MAKECMDGOALS): one-by-one
	@:

else

.PHONY: help help-all setup doctor clean all
help:
	@BUILD=$(BUILD) common/tools/help
help-all:
	@common/tools/help all
setup:
	@common/tools/setup $(if $(DEV),DEV) $(if $(SLIDES),SLIDES)
doctor:
	@BUILD=$(BUILD) common/tools/doctor
clean:
	@common/tools/clean $(BUILD)
all: programs

include common/make/toolchain.mk

# $(call first_use,GOAL,PROGRAM): the goal first has to compile the kit, which takes a while, and says so.
first_use = $(if $(filter $1,$(MAKECMDGOALS)),$(if $(wildcard $(BUILD)/bin/$2),,$(shell \
              echo "First the kit's own programs are built, once: this takes a minute or two." >&2)))
$(call first_use,%-quiz,quiz)$(call first_use,occupancy,occupancy)$(call first_use,run,run-report)

# These build nothing and need no rule more: make reads 0.1 s of them.
ifneq ($(filter-out help help-all setup doctor clean,$(or $(MAKECMDGOALS),help)),)
include common/make/rooms.mk
include common/make/archives.mk
include $(wildcard common/*/room.mk common/*/*/room.mk grader/*/room.mk)
include common/make/labs.mk
# What a student's copy has not (grader/student-kit).
include $(wildcard grader/student-kit/kit.mk common/make/test.mk common/make/check.mk)
endif

# What is none of all these: one line that says what there is. `labs` is a folder, for which make would do nothing.
.PHONY: labs
labs:
	@common/tools/unknown-goal $@ '$(filter-out $(REFUSED_VERBS),$(LAB_VERBS))' '$(filter-out $(REFUSED_VERBS),$(TASK_VERBS)) quiz'
.DEFAULT:
	@common/tools/unknown-goal $(call quote,$@) '$(filter-out $(REFUSED_VERBS),$(LAB_VERBS))' '$(filter-out $(REFUSED_VERBS),$(TASK_VERBS)) quiz'

endif
