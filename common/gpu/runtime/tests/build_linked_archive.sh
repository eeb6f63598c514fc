#!/bin/bash
# build_linked_archive.sh NVCC PROGRAM FOLDER: linked.cu with linked_part.cu in a static library, linked in steps: the
# device code by nvcc -dlink, the rest by the host's compiler.
set -e
nvcc=$1 program=$2 folder=$3
sources=common/gpu/runtime/tests/programs
"$nvcc" -arch=sm_75 -lineinfo -dc -o "$folder/part.o" $sources/linked_part.cu
ar rcs "$folder/libpart.a" "$folder/part.o"
"$nvcc" -arch=sm_75 -lineinfo -dc -o "$folder/main.o" $sources/linked.cu
"$nvcc" -arch=sm_75 -dlink -o "$folder/device.o" "$folder/main.o" "$folder/libpart.a"
libraries=$(dirname "$(common/tools/find-cuda library)")
g++ -o "$program" "$folder/main.o" "$folder/device.o" "$folder/libpart.a" -L"$libraries" -lcudart
