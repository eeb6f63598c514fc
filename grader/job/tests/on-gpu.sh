#!/bin/bash
# on-gpu.sh [hostile|honest] [NAME-PREFIX...]: this room's submissions on the real GPU of this machine, each through grade-job. One
# line for each, as CSV: what test_hostile or honest/expected.csv expects of it on the simulated GPU, and what came of it here.
# The last lines say who is accused for nothing, and who attacks and has points; some of the second kind are harmless
# (grader/THREATS.md, "On a real GPU"). They compile side by side, and have the GPU one after the other.
#   JOBS=16       at a time          LIMIT=420     seconds, after which none is begun
#   EVERY=1       of the table, each so-manieth
#   RUN_SECONDS=20                   BUILD=build   OUT=$BUILD/on-gpu   SANDBOX= as grade-job takes it   DEVICE=cuda
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
set_name=${1:-hostile}
[ $# -gt 0 ] && shift
export build=${BUILD:-build} out=${OUT:-${BUILD:-build}/on-gpu}/$set_name device=${DEVICE:-cuda} here root set_name
export run_seconds=${RUN_SECONDS:-20} begun
begun=$(date +%s)
cd "$root" || exit 1
rm -rf "$out" && mkdir -p "$out" || exit 1

# The table of test_hostile: NAME|OUTCOME|FLAG|POINTS|LAB|SIZE of those that run; what is refused before it runs is so everywhere.
hostile_table() {
    sed -n '/fixtures\[\] = {/,/^};/s/^ *{"\([a-z_0-9]*\)", *\([a-z_]*\), *\(NULL\|"[a-z-]*"\), *"\([^"]*\)".*/\1|\2|\3|\4/p' \
        "$here/test_hostile.c" | tr -d '"' | sed 's/|NULL|/||/' | grep -v '|not_built|' |
        grep -vE '[|](the object file is inspected|it began|the system call filter$)' |
        grep -vE '^(sleeps|particles_)' | while IFS='|' read -r name outcome flag why; do
            case $name in
            gemm*) lab=lab6 size=96x96 ;; increment*) lab=lab4 size=1024x520 ;; contrast*) lab=lab5 size=640x420 ;;
            edge*) lab=lab7 size=640x420 ;; weighted*) lab=lab8 size=256x64 ;; align*) lab=lab9 size=96x64 ;;
            transpose*) lab=lab12 size=1088x1056 ;;
            *) lab=lab1 size=640x420 ;;
            esac
            why=${why%%:*}
            echo "$name|$outcome|$flag|${why//,/;}|$lab|$size"
        done
}
honest_table() {
    tail -n +3 "$here/honest/expected.csv" | grep -v ',lab10,' |
        while IFS=, read -r file lab size _ outcome points flags _; do
            echo "$file|$outcome|$flags|$points|$lab|$size"
        done
}

# The submissions as files.
case $set_name in
honest) texts=("$here"/honest/*.txt "$here"/honest/*.cu) ;;
*) texts=("$here"/hostile/*.txt common/lab/tests/wrong/gaussian_blur.txt) ;;
esac
common/tools/expand-fixtures "$out/kernels" "${texts[@]}" || exit 1

judge_one() {
    local name outcome flags points lab size path folder result
    IFS='|' read -r name outcome flags points lab size <<<"$1"
    folder=$out/$(tr '/' '-' <<<"${name%.cu}")
    [ "$(($(date +%s) - begun))" -lt "$limit" ] || return
    mkdir -p "$folder"
    case $name in */*) path=$root/$name ;; *) path=$out/kernels/${name%.cu}.cu ;; esac
    cp "$path" "$folder/kernel.cu"
    "$build/bin/grade-job" --lab "$lab" --kernel "$folder/kernel.cu" --output "$folder" --cache "$out/../cache" --device "$device" \
        --seed 7 --run-seconds "$run_seconds" ${size:+--size "$size"} >"$folder/said.txt" 2>&1
    result=$folder/result.json
    [ -e "$result" ] || { echo "$name,$lab,$outcome,$flags,$points,no result,,,,"; return; }
    awk -v name="$name" -v lab="$lab" -v outcome="$outcome" -v flags="$flags" -v points="$points" '
        /^ "outcome":/ { got = $2 } /^ "message":/ { message = $0; sub(/^ "message": /, "", message); sub(/,$/, "", message); gsub(/^"|"$/, "", message) }
        /^ "flags": \[$/ { inside = 1 } /^ \]/ { inside = 0 } inside && /"name":/ { split($0, part, "\""); found = found (found == "" ? "" : " ") part[4] }
        /^  "score": \{/ { scored = 1 } scored && /"points":/ { have = $2; scored = 0 } /"run": / { run = $2 }
        END { gsub(/[",]/, "", got); gsub(/,/, "", have); gsub(/"/, "\x27", message)
              printf "%s,%s,%s,%s,%s,%s,%s,%s,%s,\"%s\"\n", name, lab, outcome, flags, points, got, found, have + 0, run + 0, message }' "$result"
}
export limit=${LIMIT:-420}
export -f judge_one

echo "name,lab,sim outcome,sim flag,sim points,outcome,flags,points,seconds,message" | tee "$out/table.csv"
prefixes=$(IFS='|' && echo "$*")
"${set_name}_table" | grep -E "^($prefixes)" | awk -v every="${EVERY:-1}" 'NR % every == 0' >"$out/wanted"
# shellcheck disable=SC2016 # it is the other shell's to expand
tr '\n' '\0' <"$out/wanted" | xargs -0 -r -n 1 -P "${JOBS:-16}" bash -c 'judge_one "$0"' | tee -a "$out/table.csv"

# What is a mistake's own name accuses nobody.
innocent='^(crash|timeout|input-changed|guard-band|nondeterministic|freed-buffer|no-kernel|early-exit|memory)?$'
echo
echo "$(($(wc -l <"$out/table.csv") - 1)) of $(wc -l <"$out/wanted") judged in $(($(date +%s) - begun)) s; their results: $out"
if [ "$set_name" = honest ]; then
    echo "accused though honest: $(awk -F, -v innocent="$innocent" 'NR > 1 && $7 !~ innocent { print $1 " (" $7 ")" }' "$out/table.csv" | paste -sd' ')"
    echo "right here and wrong there, or the other way: $(awk -F, 'NR > 1 && $3 != $6 { print $1 " (" $6 ")" }' "$out/table.csv" | paste -sd' ')"
else
    echo "attacks with points: $(awk -F, 'NR > 1 && $8 > 0 && $7 == "" { print $1 " (" $8 ", there " ($3 == "judged" ? $5 : "none") ")" }' "$out/table.csv" | paste -sd' ')"
fi
