#!/usr/bin/env bash
# Record, on a machine with an NVIDIA GPU and ncu, what every pattern of access_patterns.cu costs there.
#   record_access_patterns.sh [sm_90] > build/unpacked/instructions/access_patterns_h200.csv (after make unpack)
#   make pack ARCHIVE=instructions    keeps it
# Columns: space,operation,width,requests,sectors,wavefronts,conflicts,offset0..offset31 (-1: lane inactive).
# requests and sectors are those of global accesses, wavefronts and conflicts those of shared accesses; 0 otherwise.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nvcc -arch="${1:-sm_90}" -o "$work/access_patterns" "$here/access_patterns.cu"
"$work/access_patterns" --list > "$work/patterns"
metrics=
for m in l1tex__t_requests_pipe_lsu_mem_global_op_{ld,st} l1tex__t_sectors_pipe_lsu_mem_global_op_{ld,st} \
         l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{ld,st} l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{ld,st}; do
    metrics+=$m.sum,
done
ncu --clock-control none --csv --page raw --print-units base --metrics "${metrics%,}" "$work/access_patterns" \
    2> "$work/log" | grep '^"' > "$work/ncu.csv" || { cat "$work/log" >&2; exit 1; }
echo "# $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -1); CUDA $(nvcc --version | sed -n 's/.*release \([0-9.]*\).*/\1/p'); $(ncu --version | tail -1); $(date -u +%Y-%m-%d)"
echo "# regenerate: common/gpu/simt/tests/device/record_access_patterns.sh"
python3 - "$work/patterns" "$work/ncu.csv" <<'PY'
import csv, sys
patterns = [line.split() for line in open(sys.argv[1])]
rows = list(csv.reader(open(sys.argv[2])))
head, rows = rows[0], rows[2:]
assert len(rows) == len(patterns), (len(rows), len(patterns))
def value(row, name):
    return int(row[head.index(name + ".sum")].replace(",", ""))
for row, (_, space, operation, width, *offsets) in zip(rows, patterns):
    op = "ld" if operation == "load" else "st"
    print(",".join([space, operation, width,
        str(value(row, f"l1tex__t_requests_pipe_lsu_mem_global_op_{op}")), str(value(row, f"l1tex__t_sectors_pipe_lsu_mem_global_op_{op}")),
        str(value(row, f"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{op}")), str(value(row, f"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{op}")),
        *offsets]))
PY
