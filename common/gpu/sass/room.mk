## The kit itself
# make sass-check      our reading of machine code beside nvdisasm's

# What the room's tests compare: kernels of many kinds, for a chip of each generation. The whole repository's take minutes: sass-check.
SASS_ARCHITECTURES := 75 80 86 89 90 100 120
SASS_CUBINS := $(call nvcc_folder,tests/sass/cubins)
SASS_ALL    := $(BUILD)/tests/sass/all

# Where there is nothing to compare with, nothing is compiled for it.
sass_TEST_NEEDS := sass-cubins
.PHONY: sass-cubins sass-check
sass-cubins: $(NVCC_STAMP)
	+@common/tools/find-cuda tool nvdisasm > /dev/null 2>&1 || exit 0; \
	$(MAKE) $(foreach a,$(SASS_ARCHITECTURES),$(SASS_CUBINS)/variety.$a.cubin $(SASS_CUBINS)/kernels.$a.cubin)

$(SASS_CUBINS)/variety.%.cubin: common/gpu/sass/tests/data/variety.cu $(NVCC_STAMP)
	@mkdir -p $(@D)
	$(call say,nvcc,$@)
	$(QUIET)$(NVCC) -O3 -lineinfo -cubin -arch=sm_$* -o $@ $<

# One reading of the C++, a machine code of each architecture.
$(SASS_CUBINS)/kernels.ptx: common/gpu/simt/bench/kernels.cu $(NVCC_STAMP)
	@mkdir -p $(@D)
	$(call say,nvcc,$@)
	$(QUIET)$(NVCC) -O3 -lineinfo -ptx -arch=compute_75 -Icommon -o $@ $<
$(SASS_CUBINS)/kernels.%.cubin: $(SASS_CUBINS)/kernels.ptx
	$(QUIET)$(NVCC) -lineinfo -cubin -arch=sm_$* -o $@ $<

# Every kernel that is handed out, a solution or a step of one, and what the tests of the simulator run (make unpack).
SASS_KERNELS := $(wildcard labs/*/kernel.cu solutions/*/*.cu solutions/*/steps/*.cu $(UNPACKED)/compiled-ptx/*.cu common/gpu/simt/bench/*.cu)
SASS_NAMES   := $(subst /,_,$(SASS_KERNELS:%.cu=%))
sass_source   = $(firstword $(foreach k,$(SASS_KERNELS),$(if $(filter $1,$(subst /,_,$(k:%.cu=%))),$k)))
sass-check: $(BUILD)/tests/sass/test_nvdisasm $(foreach a,$(SASS_ARCHITECTURES),$(SASS_NAMES:%=$(SASS_ALL)/%.$a.cubin))
	SASS_CUBINS=$(SASS_ALL) $<
$(SASS_ALL)/%.ptx: $(NVCC_STAMP)
	@mkdir -p $(@D)
	$(call say,nvcc,$@)
	$(QUIET)$(NVCC) -O3 -lineinfo -ptx -arch=compute_75 -Icommon $(addprefix -I,$(wildcard labs/*/)) -o $@ $(call sass_source,$*) 2> $@.log || \
	    $(NVCC) -O3 -lineinfo -ptx -arch=compute_90 -Icommon $(addprefix -I,$(wildcard labs/*/)) -o $@ $(call sass_source,$*)
define sass_cubins
$(SASS_ALL)/%.$1.cubin: $(SASS_ALL)/%.ptx
	@grep -qE '\.(entry|func)' $$< || exit 0; $(NVCC) -lineinfo -cubin -arch=sm_$1 -o $$@ $$< 2> $$@.log || \
	    grep -qE 'sm_|target|not supported' $$@.log || { cat $$@.log; exit 1; }
endef
$(foreach a,$(SASS_ARCHITECTURES),$(eval $(call sass_cubins,$a)))
