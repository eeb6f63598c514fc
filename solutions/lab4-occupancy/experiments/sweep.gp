# Bandwidth against threads of a multiprocessor. gnuplot -c sweep.gp sweep.csv sweep.png "title"
data = ARG1
set terminal pngcairo size 1100,700 noenhanced font "sans,13"
set output ARG2
set title ARG3
set datafile separator ","
set xlabel "resident threads of a multiprocessor"
set ylabel "bytes read and written, 10^9 a second"
set xrange [0:*]
set yrange [0:*]
set grid lc rgb "#dddddd"
set key outside right center title "word x independent loads" samplen 3
# column 4 is the occupancy: threads divided by what an SM can hold
stats data every ::1 using ($3 / $4) nooutput
mark = 0.66 * STATS_max
set arrow from mark, graph 0 to mark, graph 1 nohead dt 2 lw 2 lc rgb "#777777"
set label "66 % occupancy" at mark, graph 0.04 offset 0.7,0 tc rgb "#555555"
# Colour: the word. Dash: how many loads. A mark is the smaller the wider the word, so that curves that lie on one
# another show as marks within marks.
colours = "#4c78a8 #f58518 #222222"
points = "6 4 7"
sizes = "2.6 1.5 0.6"
dashes = "1 4 3"
bytes = "4 8 16"
loads = "1 2 4"
set label "Marks within marks: curves that lie on one another." at graph 0,-0.145 left tc rgb "#555555"
set bmargin 5.5
do for [i = 0:8] {
    set style line i + 1 lw 2 ps real(word(sizes, i / 3 + 1)) lc rgb word(colours, i / 3 + 1) dt int(word(dashes, i % 3 + 1)) \
        pt int(word(points, i / 3 + 1))
}
plot for [i = 0:8] data every ::1 using (column(1) == int(word(bytes, i / 3 + 1)) && column(2) == int(word(loads, i % 3 + 1)) ? column(3) : NaN):5 \
    with linespoints ls i + 1 title sprintf("%s bytes x %s", word(bytes, i / 3 + 1), word(loads, i % 3 + 1))
