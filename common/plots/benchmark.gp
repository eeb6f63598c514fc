# The runs of a lab side by side. gnuplot -c benchmark.gp benchmark.tsv benchmark.png "title"
data = ARG1
set terminal pngcairo size 900,520 noenhanced font "sans,13"
set output ARG2
set title ARG3
set datafile separator "\t"
set style fill solid 0.85 noborder
set boxwidth 0.6
set logscale y
set yrange [1:*]
set offsets 0.5, 0.5, 0, 0
set ylabel "time, microseconds (logarithmic)"
set grid ytics lc rgb "#dddddd"
set key off
plot data every ::1 using 0:2:xtic(1) with boxes lc rgb "#4c78a8", \
     data every ::1 using 0:2:(sprintf("%.4g", $2)) with labels offset 0,0.7
