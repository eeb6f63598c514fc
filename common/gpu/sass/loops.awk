# loops.awk: marks in sass-listing's output the loops that hold no other loop by a | and says their
# size: there a kernel mostly spends its time. In a loop a branch leads back to a label.
function mark(first,    i, bytes) {
    for (i = first; i <= NR; i++)
        bytes += 16 * sub(/^    /, "|   ", line[i])
    line[first] = line[first] "  a loop of " bytes " bytes"
}
{ line[NR] = $0 }
/^  \./ { at[substr($1, 1, length($1) - 1)] = NR }
match($0, /BRA `\(.*\)/) && (label = at[substr($0, RSTART + 6, RLENGTH - 7)]) && NR > label + 1 {
    if (label > branch)
        mark(label)
    branch = NR
}
END { for (i = 1; i <= NR; i++) print line[i] }
