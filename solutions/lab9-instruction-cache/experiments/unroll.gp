# Heat maps of unroll factors. gnuplot -c unroll.gp unroll.csv unroll.png "title"
# A panel for each size: time. And, where they are known, at the first size, the share of time in which warps wait for code,
# and the machine code of the busiest part.
data = ARG1
set datafile separator ","
set datafile columnheaders
# Which sizes there are, in the order of the data: each has 25 programs.
stats data using (column("time_us")) name "ALL" nooutput
sizes = int(ALL_records + ALL_invalid + ALL_blank + ALL_outofrange) / 25
array width[sizes]
array height[sizes]
array least[sizes]
array most[sizes]
do for [i = 1:sizes] {
    stats data every ::(25 * (i - 1))::(25 * i - 1) using (column("width")) name "SIZE" nooutput
    width[i] = SIZE_max
    stats data every ::(25 * (i - 1))::(25 * i - 1) using (column("height")) name "SIZE" nooutput
    height[i] = SIZE_max
    stats data every ::(25 * (i - 1))::(25 * i - 1) using (column("time_us")) name "TIME" nooutput
    least[i] = TIME_min
    most[i] = TIME_max
}
stats data every ::0::24 using (column("hot_code_bytes") / 1024) name "CODE" nooutput
stats data every ::0::24 using (column("no_instruction") * 100) name "STALL" nooutput
panels = sizes + (CODE_records > 0) + (STALL_records > 0)
across = panels < 4 ? panels : (panels + 1) / 2
down = (panels + across - 1) / across
set terminal pngcairo size 100 + 400 * across,90 + 400 * down noenhanced font "sans,11"
set output ARG2
set palette defined (0 "#08306b", 0.5 "#6baed6", 1 "#f7fbff")
unset colorbox
unset key
set xtics ("free" 0, "1" 1, "2" 2, "3" 3, "4" 4)
set ytics ("free" 0, "1" 1, "2" 2, "3" 3, "4" 4)
set tics scale 0
set style fill solid noborder
set xrange [-0.5:4.5]
set yrange [-0.5:4.5]
set xlabel "copies of the loop over letters"
set ylabel "copies of the loop over strips"
# The ink on a cell: white on the darkest part.
ink(value, low, high) = value - low < 0.45 * (high - low) ? 0xffffff : 0x222222
height_all = 90.0 + 400 * down
set multiplot layout down,across title ARG3."\nfree: as the compiler likes" \
    margins 70.0 / (100 + 400 * across),0.98,60 / height_all,1 - 85 / height_all spacing 0.2 / across,90 / height_all
do for [i = 1:sizes] {
    set title sprintf("time in us, %d batches of up to %d letters", width[i], height[i])
    set cbrange [least[i]:most[i] > least[i] ? most[i] : least[i] + 1]
    plot data every ::(25 * (i - 1))::(25 * i - 1) using (column("inner")):(column("outer")):(0.48):(0.48):(column("time_us")) with boxxyerror lc palette, \
         data every ::(25 * (i - 1))::(25 * i - 1) using (column("inner")):(column("outer")):(sprintf("%.1f", column("time_us"))):(ink(column("time_us"), least[i], most[i])) \
             with labels tc rgb variable
}
if (STALL_records > 0) {
    set title "% of warps' time waiting for code (no instruction)"
    set cbrange [0:STALL_max > 0 ? STALL_max : 1]
    plot data every ::0::24 using (column("inner")):(column("outer")):(0.48):(0.48):(column("no_instruction") * 100) with boxxyerror lc palette, \
         data every ::0::24 using (column("inner")):(column("outer")):(sprintf("%.1f", column("no_instruction") * 100)):(ink(column("no_instruction") * 100, 0, STALL_max)) \
             with labels tc rgb variable
}
if (CODE_records > 0) {
    set title "KB of the busiest part of the machine code"
    set cbrange [CODE_min:CODE_max]
    plot data every ::0::24 using (column("inner")):(column("outer")):(0.48):(0.48):(column("hot_code_bytes") / 1024) with boxxyerror lc palette, \
         data every ::0::24 using (column("inner")):(column("outer")):(sprintf("%.1f", column("hot_code_bytes") / 1024)):(ink(column("hot_code_bytes") / 1024, CODE_min, CODE_max)) \
             with labels tc rgb variable
}
unset multiplot
