# Time against work. gnuplot -c tail.gp tail.csv tail.png "title"
# Left: batches of equal length: each wave of blocks is a step; dashed, where the starter's waves end. Right: uneven ones; time for a thousand batches.
data = ARG1
set datafile separator ","
set datafile columnheaders
set terminal pngcairo size 1300,600 noenhanced font "sans,12"
set output ARG2
set grid lc rgb "#dddddd"
set key top left
set xlabel "batches (blocks)"
set xrange [0:*]
set yrange [0:*]
# Where the starter's waves end.
stats data using (strcol("kernel") eq "starter" ? column("batches") / column("waves") : NaN) name "WAVE" nooutput
stats data using (strcol("kernel") eq "starter" ? column("waves") : NaN) name "LAST" nooutput
do for [i = 1:int(LAST_max)] {
    set arrow from i * WAVE_mean, graph 0 to i * WAVE_mean, graph 1 nohead dt 2 lc rgb "#f5b58a"
    set label sprintf("%d", i) at i * WAVE_mean, graph 0.02 offset 0.4,0.4 tc rgb "#c07030"
}
is(kernel, lengths) = strcol("kernel") eq kernel && strcol("lengths") eq lengths
set multiplot layout 1,2 title ARG3
set title "equal lengths"
set ylabel "time, us"
plot for [k in "starter reference"] data using (is(k, "equal") ? column("batches") : NaN):(column("time_us")) \
    with linespoints lw 2 pt 7 ps 0.8 lc rgb (k eq "starter" ? "#f58518" : "#4c78a8") title k
set title "uneven lengths"
set ylabel "time for a thousand batches, us"
set key top right
plot for [k in "starter reference"] data using (is(k, "uneven") ? column("batches") : NaN):(column("time_us") * 1000 / column("batches")) \
    with linespoints lw 2 pt 7 ps 0.8 lc rgb (k eq "starter" ? "#f58518" : "#4c78a8") title k
unset multiplot
