## The kit itself
# make ptx-data        compile the PTX of common/ptx/tests/data again

# The tests read it where there is no nvcc.

# What a toolkit writes is checked in, so that a new one can be compared with it; paths are made relative.

PTX_DATA := $(wildcard common/ptx/tests/data/*.cu)
.PHONY: ptx-data
ptx-data:
	@for file in $(filter-out %/everything.cu,$(PTX_DATA)); do \
	    for arch in 75 90; do \
	        common/tools/nvcc -ptx -arch=compute_$$arch -lineinfo $$file -o - | sed 's,"/.*/tests/data/,",' > $${file%.cu}.sm_$$arch.ptx; \
	    done; \
	    cmp -s <(sed 's/sm_90/sm_75/' $${file%.cu}.sm_90.ptx) $${file%.cu}.sm_75.ptx && rm $${file%.cu}.sm_90.ptx; \
	done; true
