# results/peers.csv and results/scaling.csv as pictures; run.sh calls it in results/.
set terminal svg size 1000,760 font "sans,12" background "white"
set datafile separator ","
set logscale xy
set format "10^{%T}"
set grid lc rgb "#dddddd"
set key outside right top
engines = "carom Bullet ODE MuJoCo DART Siconos"
rows(scene, engine) = sprintf("< awk -F, '$1 == \"%s\" && index($2, \"%s\") == 1 && $5 > 0' peers.csv", scene, engine)

set output "peers.svg"
set multiplot layout 2,2 title "Speed against accuracy, one thread, h = 2 ms: up and left is better"
set ylabel "steps per second"
do for [scene in "balls-125 balls-1000 stack-10"] {
  set title scene
  set xlabel "error of a step (median)"
  plot for [i=1:6] rows(scene, word(engines, i)) using 13:7 with points pt (i == 1 ? 7 : 4 + i) ps 1.3 lc i title word(engines, i)
}
set title "bin-200 (e = 0.8)"
set xlabel "mean penetration [m]"
plot for [i=1:6] rows("bin-200", word(engines, i)) using 9:7 with points pt (i == 1 ? 7 : 4 + i) ps 1.3 lc i title word(engines, i)
unset multiplot

set terminal svg size 1000,420 font "sans,12" background "white"
set output "scaling.svg"
unset title
set multiplot layout 1,2 title "carom: pyramids of balls, one thread"
set xlabel "contacts"
set ylabel "processor time of a step [s]"
set key inside top left
plot "scaling.csv" skip 1 using 2:3 with linespoints pt 7 title "first step, from nothing", \
     "" skip 1 using 2:4 with linespoints pt 5 title "later steps", \
     "" skip 1 using 2:($2*1e-5) with lines dt 2 lc rgb "grey" title "10 µs per contact"
set ylabel "per sweep and contact, all of the step [ns]"
unset logscale y
set format y "%g"
set yrange [0:]
plot "scaling.csv" skip 1 using 2:9 with linespoints pt 7 notitle
unset multiplot
