#!/bin/bash
# make_seeds.sh: makes the seeds of fuzz_fatbin again (CUDA 13 on the path) in build/unpacked/seeds; then make pack ARCHIVE=seeds.
# old_lz4.fatbin has the layout and compression of CUDA 11.8 and is kept as it is.
set -e
cd "$(dirname "$0")"
tree=$(git rev-parse --show-toplevel)
make -C "$tree" unpack ARCHIVE=seeds
folder=$tree/build/unpacked/seeds/runtime/fuzz_fatbin
fatbin() { nvcc -fatbin -o "$folder/$1" "${@:2}" seed_kernels.cu; }
fatbin plain.fatbin -arch=sm_75 -Xfatbin --compress-mode=none
fatbin zstd.fatbin -arch=sm_75
fatbin zstd_all.fatbin -arch=sm_80 -Xfatbin -compress-all
fatbin lz4.fatbin -arch=sm_75 -Xfatbin --compress-mode=speed
fatbin several.fatbin -gencode arch=compute_75,code=sm_75 -gencode arch=compute_80,code=compute_80 \
    -gencode arch=compute_90,code=sm_90 -gencode arch=compute_90,code=compute_90 -Xfatbin -compress-all
fatbin specific.fatbin -gencode arch=compute_90a,code=sm_90a -gencode arch=compute_90a,code=compute_90a \
    -Xfatbin -compress-all
fatbin machine_only.fatbin -gencode arch=compute_90,code=sm_90 -Xfatbin -compress-all
fatbin ptx_only.fatbin -gencode arch=compute_75,code=compute_75
fatbin separate.fatbin -rdc=true -arch=sm_75
fatbin unlinked.fatbin -rdc=true -gencode arch=compute_90,code=lto_90
