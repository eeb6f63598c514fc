# The runs of a lab side by side. gnuplot -c benchmark.gp benchmark.tsv benchmark.png "title"
data = ARG1
set terminal pngcairo size 900,520 noenhanced font "sans,13"
set output ARG2
set title ARG3
set datafile separator "\t"
stats data skip 1 using 2 name "T" nooutput
set style fill solid 0.85 noborder
set boxwidth 0.6
set logscale y
# A third of a decade above the tallest bar has room for its figure; below the shortest a bar is visible.
set yrange [10 ** floor(log10(T_min / 1.5)):2.5 * T_max]
set xrange [-0.6:T_records - 0.4]
figure(us) = us >= 1e6 ? sprintf("%.3g s", us / 1e6) : us >= 10000 ? sprintf("%.3g ms", us / 1e3) : sprintf("%.4g us", us)
set ylabel "time, microseconds (logarithmic)"
set grid ytics lc rgb "#dddddd"
set key off
plot data skip 1 using 0:2:xtic(1) with boxes lc rgb "#4c78a8", \
     data skip 1 using 0:2:(figure($2)) with labels offset 0,0.7
