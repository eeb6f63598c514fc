# What we build with, and where it goes. Overridable from the command line.

## With any command
# BUILD=build          the folder that everything is built in
# V=1                  show the commands
# WSL_LIB=/usr/lib/wsl/lib   where WSL 2 keeps the driver's libraries
# MACHINE=aarch64      with CC=aarch64-linux-gnu-gcc: cross-compiled
# CC=gcc CCACHE= CFLAGS='-O2 -g1' LDFLAGS= NVCC=nvcc CUDA_HOME=/usr/local/cuda
# SANITIZE=address,undefined LAB_ARCH=90 (build/kernels)
# make lint: CLANG= CLANG_FORMAT= CLANG_TIDY=
# make test: TEST_WRAPPER= GOLDEN=1 RANDOM_SEED=1 SHOW=1 KEEP=1

# Nothing here asks the machine at parse time: `make setup` must run where no compiler is.

BUILD ?= build
# ccache, where it is installed, keeps what was compiled: a second clone and a second run of .ci/run compile little.
CCACHE := $(if $(wildcard $(addsuffix /ccache,$(subst :, ,$(PATH)))),ccache)
CC := $(strip $(if $(filter default,$(origin CC)),$(CCACHE) gcc,$(CC)))

# common/tools/nvcc finds the CUDA compiler when it runs: NVCC, CUDA_HOME, PATH, /usr/local/cuda, .toolkit.
NVCC ?= common/tools/nvcc

# SANITIZE=address,undefined builds everything apart, under build/sanitize; but for what nvcc makes, which no sanitiser is in:
# it lies in NVCC_BUILD, and links in build/sanitize lead there.
NVCC_BUILD := $(BUILD)
ifdef SANITIZE
BUILD := $(BUILD)/sanitize
SANITIZE_FLAGS := -fsanitize=$(SANITIZE) -fno-omit-frame-pointer -fno-sanitize-recover=undefined
endif

# WSL 2 has the Windows driver's libraries in a folder of its own, which not every system's loader searches.
WSL_LIB ?= /usr/lib/wsl/lib
ifneq ($(wildcard $(WSL_LIB)/libcuda.so.1),)
export LD_LIBRARY_PATH := $(if $(LD_LIBRARY_PATH),$(LD_LIBRARY_PATH):)$(WSL_LIB)
endif

# The machine that the kit is built for: x86_64 or aarch64. For another than this one CC is a cross compiler.
MACHINE := $(shell uname -m)

# -ffp-contract=off: the simulated GPU's float arithmetic must round where PTX says, and nowhere else.
# -fsigned-char: on aarch64 a plain char would have no sign.
CFLAGS ?= -O2 -g1
ALL_CFLAGS := -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -ffp-contract=off -fsigned-char -fPIC -pthread \
              -Icommon -Igrader -MMD -MP $(CFLAGS) $(SANITIZE_FLAGS)
ALL_LDFLAGS := -pthread $(LDFLAGS) $(SANITIZE_FLAGS)

# Stamps: what is compiled depends on them, so another compiler or another flag builds again.
# Their recipes always run and touch the file only when its content changes.
CC_STAMP   := $(BUILD)/stamp/cc
NVCC_STAMP := $(NVCC_BUILD)/stamp/nvcc

.PHONY: FORCE
FORCE:

$(CC_STAMP): FORCE
	@$(CC) --version > /dev/null 2>&1 || { echo 'There is no C compiler ($(CC)): make setup installs what is missing.' >&2; exit 1; }
	@common/tools/stamp $@ "$$($(CC) --version 2>&1 | head -n 1)" '$(ALL_CFLAGS)' '$(ALL_LDFLAGS)'

$(NVCC_STAMP): FORCE
	@common/tools/stamp $@ "$$(common/tools/find-cuda summary 2>&1)" '$(NVCC)'

# A student's copy has its references as compiled code, and says here by what and for which architectures.
include $(wildcard solutions/compiled.mk)

# The architectures it compiles for, "compute_75 compute_80 ..."; in a student's copy those of the references.
NVCC_ARCHITECTURES := $(NVCC_BUILD)/stamp/architectures
$(NVCC_ARCHITECTURES): $(NVCC_STAMP) $(wildcard solutions/compiled.mk)
	@$(NVCC) --list-gpu-arch $(if $(COMPILED_CUDA),| grep -xE 'compute_($(subst $() ,|,$(COMPILED_ARCHITECTURES)))') > $@

# $(call nvcc_folder,FOLDER): build/FOLDER, for what nvcc makes.
nvcc_folder = $(NVCC_BUILD)/$1$(if $(SANITIZE),$(shell [ -L $(BUILD)/$1 ] || \
    { rm -rf $(BUILD)/$1 && mkdir -p $(dir $(BUILD)/$1) && ln -s $(abspath $(NVCC_BUILD))/$1 $(BUILD)/$1; }))

# One short line for each thing built; V=1 shows the commands.
#     $(call say,cc,$<)
#     $(QUIET)$(CC) ...
QUIET := $(if $(V),,@)
say = $(if $(V),@:,@printf '%-6s %s\n' '$1' '$2')
