# Bandwidth against threads of a multiprocessor. gnuplot -c sweep.gp sweep.dat sweep.png "title" THREADS_AT_66_PERCENT
data = ARG1
set terminal pngcairo size 1100,700 noenhanced font "sans,13"
set output ARG2
set title ARG3
set xlabel "resident threads of a multiprocessor"
set ylabel "bytes read and written, 10^9 a second"
set xrange [0:*]
set yrange [0:*]
set grid lc rgb "#dddddd"
set key outside right center title "word x independent loads" samplen 3
set arrow from ARG4 + 0, graph 0 to ARG4 + 0, graph 1 nohead dt 2 lw 2 lc rgb "#777777"
set label "66 % occupancy" at ARG4 + 0, graph 0.04 offset 0.7,0 tc rgb "#555555"
set key autotitle columnheader
# Colour: the word. Dash and point: how many loads.
colours = "#4c78a8 #f58518 #54a24b"
points = "7 5 9"
dashes = "1 4 3"
do for [i = 0:8] {
    set style line i + 1 lw 2 ps 1.1 lc rgb word(colours, i / 3 + 1) dt int(word(dashes, i % 3 + 1)) \
        pt int(word(points, i % 3 + 1))
}
stats data using 1:2 nooutput
plot for [i = 0:STATS_blocks - 1] data index i using 1:2 with linespoints ls i % 9 + 1
