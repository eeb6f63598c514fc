#!/usr/bin/env bash
# Record, on a machine with an NVIDIA GPU, what its instructions compute in the programs beside this script:
#   record_results.sh [h200]        writes NAME_h200.csv of each into build/unpacked/instructions;
#   make pack ARCHIVE=instructions  keeps them
set -euo pipefail
cd "$(dirname "$0")"
gpu=${1:-h200}
tree=$(git rev-parse --show-toplevel)
make -C "$tree" unpack ARCHIVE=instructions
build=$(mktemp -d)
trap 'rm -r "$build"' EXIT
names=(carry_chains lane_groups instructions approximations matrices)
for name in "${names[@]}"; do
    nvcc -O2 -arch=native -o "$build/$name" "$name.cu" -lcuda
    {
        echo "# $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader); $(nvcc --version | tail -n 1)"
        echo "# regenerate: common/gpu/simt/tests/device/record_results.sh"
        "$build/$name"
    } > "$tree/build/unpacked/instructions/${name}_$gpu.csv"
done
