# GPU Performance Labs: the one entry. `make` alone prints the help and the state of every lab.
# Each concern has its own fragment in mk/; each room of common/ may add a room.mk.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules
SHELL := /bin/bash

include mk/toolchain.mk
include mk/rooms.mk
-include $(wildcard common/*/room.mk)
include $(filter-out mk/toolchain.mk mk/rooms.mk,$(sort $(wildcard mk/*.mk)))

.PHONY: all help
all: programs
