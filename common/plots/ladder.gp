# The ladder of steps. gnuplot -c ladder.gp steps.tsv steps.png "title"
data = ARG1
set terminal pngcairo size 1100,620 noenhanced font "sans,13"
set output ARG2
set title ARG3
set datafile separator "\t"
set style fill solid 0.85 noborder
set boxwidth 0.6
set yrange [0:*]
set ylabel "time, microseconds"
set y2label "speedup over step 0"
set y2range [0:*]
set y2tics
set ytics nomirror
set grid ytics lc rgb "#dddddd"
set key top center
plot data every ::1 using 0:2:xtic(1) with boxes lc rgb "#4c78a8" title "time", \
     data every ::1 using 0:2:(sprintf("%s", stringcolumn(4))) with labels offset 0,0.7 notitle, \
     data every ::1 using 0:3 axes x1y2 with linespoints lw 2 pt 7 lc rgb "#e45756" title "speedup"
