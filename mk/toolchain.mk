# What we build with, and where it goes. Overridable from the command line.

BUILD ?= build
CC := $(if $(filter default,$(origin CC)),gcc,$(CC))

# SANITIZE=address,undefined builds everything apart, under build/sanitize.
ifdef SANITIZE
BUILD := $(BUILD)/sanitize
SANITIZE_FLAGS := -fsanitize=$(SANITIZE) -fno-omit-frame-pointer -fno-sanitize-recover=undefined
endif

# -ffp-contract=off: the simulated GPU's float arithmetic must round where PTX says, and nowhere else.
CFLAGS ?= -O2 -g
ALL_CFLAGS := -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -ffp-contract=off -fPIC -pthread \
              -Icommon -MMD -MP $(CFLAGS) $(SANITIZE_FLAGS)
ALL_LDFLAGS := -pthread $(LDFLAGS) $(SANITIZE_FLAGS)
