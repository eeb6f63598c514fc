# The ladder of steps, a bar for each, and a panel for each part of the lab.
# gnuplot -c ladder.gp steps.tsv steps.png "title" "what each limiter is, a line each" "title of each part, tabs between"
# Bars of very different times are logarithmic; the figures are printed beside all bars.
data = ARG1
key = ARG4
part_titles = ARG5
set datafile separator "\t"
stats data skip 1 using 2:6 name "ALL" nooutput
rows = int(ALL_records)
parts = ALL_max_y < 1 ? 1 : int(ALL_max_y)
is_measured(text) = text ne "nan"
stats data skip 1 using (is_measured(stringcolumn(5)) ? 1 : 0) name "MEASURED" nooutput
measured = MEASURED_sum > 0

head = 1.35 # rows that a panel's heading takes
lines_of(text) = strstrt(text, "\n") > 0 ? 1 + lines_of(text[strstrt(text, "\n") + 1:*]) : 1
key_lines = lines_of(key)
total = rows + head * parts + 0.5 * key_lines + 1.2
set terminal pngcairo size 1200,int(46 * total) noenhanced font "sans,13"
set output ARG2
set margins 0,0,0,0
set lmargin at screen 0.02
set rmargin at screen 0.98
set tmargin at screen 1
set bmargin at screen 0
unset border
unset tics
set key off

# The n-th piece of a text with tabs between.
piece(text, n) = n == 1 ? (strstrt(text, "\t") > 0 ? text[1:strstrt(text, "\t") - 1] : text) \
                        : (strstrt(text, "\t") > 0 ? piece(text[strstrt(text, "\t") + 1:*], n - 1) : "")
part(p) = p < 1 ? 1 : int(p)
figure(us) = us >= 1e6 ? sprintf("%.3g s", us / 1e6) : us >= 10000 ? sprintf("%.3g ms", us / 1e3) : sprintf("%.4g us", us)
top(row, p) = -(row + head * part(p) + 1)

set label 1 ARG3 at 0,-0.5 left font "sans Bold,15"
array shortest[parts]
array longest[parts]
do for [p = 1:parts] {
    # other parts' times count as this one's first
    stats data skip 1 using (part($6) < p ? 1 : 0) name "B" nooutput
    before = int(B_sum)
    stats data skip 1 every ::before::before using 2 name "F" nooutput
    first = F_min
    stats data skip 1 using (part($6) == p ? $2 : first) name "P" nooutput
    stats data skip 1 using (part($6) == p && is_measured(stringcolumn(5)) ? $5 : first) name "M" nooutput
    shortest[p] = P_min < M_min ? P_min : M_min
    longest[p] = P_max > M_max ? P_max : M_max
    logarithmic = longest[p] > 20 * shortest[p]
    y = top(before, p) + 0.35
    set label 100 * p + 1 (piece(part_titles, p)).(logarithmic ? "   (bars are logarithmic)" : "") at 0,y left \
        tc rgb "#444444" font "sans Bold,13"
    set label 100 * p + 2 (measured ? "modelled" : "time") at 0.72,y right tc rgb "#666666"
    set label 100 * p + 3 (measured ? "measured" : "") at 0.81,y right tc rgb "#666666"
    set label 100 * p + 4 "speedup" at 0.89,y right tc rgb "#666666"
    set label 100 * p + 5 "limited by" at 0.91,y left tc rgb "#666666"
}
set label 2 key at 0,-(rows + head * parts + 1.3) left tc rgb "#666666"
# The length of a bar: in proportion, or by decades from half the shortest.
length(t, p) = longest[part(p)] > 20 * shortest[part(p)] \
    ? log(2 * t / shortest[part(p)]) / log(2 * longest[part(p)] / shortest[part(p)]) : t / longest[part(p)]
set xrange [0:1]
set yrange [-total:0]
upper = measured ? 0.69 : 0.64
plot data skip 1 using (0):(top($0, $6) - 0.17):(stringcolumn(1)) with labels left font "sans Bold,13", \
     data skip 1 using (0.05):(top($0, $6) - 0.17):(stringcolumn(7)) with labels left, \
     data skip 1 using (0.72):(top($0, $6) - 0.17):(figure($2)) with labels right, \
     data skip 1 using (0.81):(top($0, $6) - 0.17):(is_measured(stringcolumn(5)) ? figure($5) : "") with labels right tc rgb "#b5562a", \
     data skip 1 using (0.89):(top($0, $6) - 0.17):(valid(3) ? sprintf("%.2f x", $3) : "") with labels right, \
     data skip 1 using (0.91):(top($0, $6) - 0.17):(stringcolumn(4) eq "-" ? "" : stringcolumn(4)) with labels left, \
     data skip 1 using (0):(top($0, $6) - upper):(0):(length($2, $6)):(top($0, $6) - upper):(top($0, $6) - 0.44) \
         with boxxyerror fs solid 0.85 noborder lc rgb "#4c78a8", \
     data skip 1 using (0):(top($0, $6) - 0.88):(0):(is_measured(stringcolumn(5)) ? length($5, $6) : 0):(top($0, $6) - 0.88):(top($0, $6) - 0.74) \
         with boxxyerror fs solid 0.85 noborder lc rgb "#e4a077"
