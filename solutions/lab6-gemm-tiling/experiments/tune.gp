# The landscape of shapes. gnuplot -c tune.gp tune.csv tune.png "title"
# A panel for each depth of the tiles and number of columns of C per thread that was run. In each: rows and columns of a
# block's tile. With a cross: refused. Only padding 4, so that each cell is one shape.
data = ARG1
set datafile separator ","
stats data every ::1 using ($5 == 4 ? $8 : NaN) nooutput
most = STATS_max
set palette defined (0 "#f7fbff", 0.5 "#6baed6", 1 "#08306b")
set cbrange [0:most]
unset colorbox
unset key
set xtics ("64" 0, "128" 1, "256" 2, "512" 3)
set ytics ("32" 0, "64" 1, "128" 2, "256" 3)
set tics scale 0
set style fill solid noborder
log2(x) = log(x) / log(2)
column_of(m) = log2(m) - 6
row_of(n) = log2(n) - 5
shown(depth, columns) = column(3) == depth && column(4) == columns && column(5) == 4
# Which panels there are: the depths and columns of the data.
panels = ""
count = 0
do for [depth in "8 16 32"] {
    do for [columns in "4 8 16"] {
        stats data every ::1 using (shown(int(depth), int(columns)) ? 1 : 0) name "PANEL" nooutput
        if (PANEL_sum > 0) {
            panels = panels." ".depth.":".columns
            count = count + 1
        }
    }
}
across = count < 3 ? count : 3
down = (count + 2) / 3
set terminal pngcairo size 60 + 380 * across,115 + 310 * down noenhanced font "sans,11"
set output ARG2
set xrange [-0.5:3.5]
set yrange [-0.5:3.5]
left = 70.0 / (60 + 380 * across)
height = 115.0 + 310 * down
set multiplot layout down,across title ARG3."\na cross: refused; grey: not run" margins left,0.98,75 / height,1 - 95 / height spacing 0.22 / across,95 / height
do for [panel in panels] {
    depth = panel[1:strstrt(panel, ":") - 1]
    columns = panel[strstrt(panel, ":") + 1:*]
    set title sprintf("depth %s, 8x%s a thread", depth, columns)
    set xlabel "rows of the tile"
    set ylabel "columns of the tile"
    set object 1 rectangle from graph 0,0 to graph 1,1 behind fillcolor rgb "#eeeeee" fillstyle solid noborder
    plot data every ::1 using (shown(int(depth), int(columns)) && valid(8) ? column_of($1) : NaN):(row_of($2)):(0.48):(0.48):8 \
             with boxxyerror lc palette, \
         data every ::1 using (shown(int(depth), int(columns)) && valid(8) ? column_of($1) : NaN):(row_of($2)):(sprintf("%.1f", $8)):($8 > 0.55 * most ? 0xffffff : 0x222222) \
             with labels tc rgb variable, \
         data every ::1 using (shown(int(depth), int(columns)) && !valid(8) ? column_of($1) : NaN):(row_of($2)) \
             with points pt 2 lc rgb "#999999"
}
unset multiplot
