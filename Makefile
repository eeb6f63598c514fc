# GPU Performance Labs: the one entry. `make` alone prints the help and the state of every lab.
# Each concern has its own fragment in common/make/; each room may add a room.mk.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules --no-print-directory
SHELL := /bin/bash

# As many jobs as there are cores, unless -j says otherwise; the labs of one command line one after the other.
ifeq ($(MAKELEVEL)$(filter -j% --jobs% --jobserver%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 2)
endif
in_order = $(foreach g,$1,$(if $(PREVIOUS),$(eval $g: | $(PREVIOUS)))$(eval PREVIOUS := $g))
$(call in_order,$(filter lab%,$(MAKECMDGOALS)))

AFTER_SETUP := $(if $(filter setup,$(MAKECMDGOALS)),$(filter-out setup,$(MAKECMDGOALS)))

ifneq ($(AFTER_SETUP),)

# `make setup lab1`: what setup installs must be seen by what follows, whatever -j says.
# So the other goals run afterwards, in a make of their own.
.PHONY: setup after-setup $(AFTER_SETUP)
setup:
	+@$(MAKE) setup
after-setup: setup
	+@$(MAKE) $(AFTER_SETUP)
$(AFTER_SETUP): after-setup
	@:

else

include common/make/toolchain.mk
include common/make/rooms.mk
-include $(wildcard common/*/room.mk) grader/room.mk
include $(filter-out common/make/toolchain.mk common/make/rooms.mk,$(sort $(wildcard common/make/*.mk)))

.PHONY: all help
all: programs

endif
