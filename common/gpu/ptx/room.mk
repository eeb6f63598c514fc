## The kit itself
# make ptx-data        compiles the archive compiled-ptx again

# A toolkit's PTX is kept for tests without nvcc, and to compare with a new toolkit's. Paths become relative.
ptx_TEST_NEEDS = $(call unpacked,compiled-ptx)

.PHONY: ptx-data
ptx-data: $(call unpacked,compiled-ptx)
	@for file in $(UNPACKED)/compiled-ptx/*.cu; do \
	    case $$file in */everything.cu) continue ;; esac; \
	    to=$${file%.cu}; \
	    for arch in 75 90; do \
	        common/tools/nvcc -ptx -arch=compute_$$arch -lineinfo $$file -o $$to.sm_$$arch.ptx || exit 1; \
	        sed -i 's,"/.*/compiled-ptx/,",' $$to.sm_$$arch.ptx; \
	    done; \
	    cmp -s <(sed 's/sm_90/sm_75/' $$to.sm_90.ptx) $$to.sm_75.ptx && rm $$to.sm_90.ptx; \
	done; common/tools/archive pack compiled-ptx $(UNPACKED)/compiled-ptx

# The fuzzer's dictionary: every word of the tables, with and without its dot, and fuzz_ptx_parse.dict.
PTX_DICTIONARY := $(BUILD)/fuzz/ptx/fuzz_ptx_parse.dict
$(PTX_DICTIONARY): common/gpu/ptx/tests/fuzz_ptx_parse.dict $(wildcard common/gpu/ptx/*.c common/gpu/ptx/*.h)
	@mkdir -p $(@D)
	@{ cat $<; grep -oh '"[^"\]*"' $(filter-out $<,$^) | tr '"|=? ,.' '\n' | grep -E '^[A-Za-z0-9_:%$$]+$$' | sort -u | \
	    sed 's/.*/"&"\n".&"/'; } > $@
$(BUILD)/fuzz/ptx/fuzz_ptx_parse.run: $(PTX_DICTIONARY)
