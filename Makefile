# GPU Performance Labs: the one entry. `make` alone prints the help and the state of every lab.
# What stands here is for all: the order of things. The rest has a fragment of its own in common/make/ (tools and flags,
# the rooms, the labs, tests, checks) or stands in the room it is about (room.mk). The lines below each "##" at the head
# of these files are what `make` prints: common/tools/help gathers them.

## Start
# make setup           install what is missing; DEV=1: also for work on the kit;
#                      SLIDES=1: also for the slides
# make doctor          what is here, what is missing, what brings it
# make clean           delete what was built; kernels, backups and scores stay

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules --no-print-directory
SHELL := /bin/bash

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

.PHONY: help setup doctor clean all
help:
	@BUILD=$(BUILD) common/tools/help
setup:
	@common/tools/setup $(if $(DEV),DEV) $(if $(SLIDES),SLIDES)
doctor:
	@BUILD=$(BUILD) common/tools/doctor
clean:
	@common/tools/clean $(BUILD)
all: programs

include common/make/toolchain.mk
include common/make/rooms.mk
include common/make/archives.mk
include $(wildcard common/*/room.mk grader/room.mk grader/*/room.mk)
include common/make/labs.mk
include common/make/test.mk
include common/make/check.mk
include common/make/count.mk
include common/make/bench.mk

# What is none of all these: one line that says what there is. `labs` is a folder, for which make would do nothing.
.PHONY: labs
labs:
	@common/tools/unknown-goal $@ '$(LAB_VERBS)' '$(TASK_VERBS) quiz'
.DEFAULT:
	@common/tools/unknown-goal $(call quote,$@) '$(LAB_VERBS)' '$(TASK_VERBS) quiz'

endif
