#!/bin/sh
# bench/peers/run.sh [BUILD]: every engine on every scene, one after the other, on one thread; results/*.csv, results/*.svg and the tables.
# SCENES=… and ENGINES=… in the environment choose some, without the cost against contacts and the contact problems.
# An engine that crashes or hangs costs its rows of that scene, no others. What goes on is told on the terminal.
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-$here/../../build/release}" && pwd) || exit 1
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
mkdir -p "$here/results"
cd "$here/results" || exit 1
began=$(date +%s)
tell() { echo "$(($(date +%s) - began)) s: $*" >&2; }
{
  date -u +"%Y-%m-%d %H:%M UTC, load $(cut -d' ' -f1-3 /proc/loadavg)"
  grep -m1 "model name" /proc/cpuinfo | cut -d: -f2
  g++ --version | head -1
  dpkg-query -W -f '${Package} ${Version}\n' libbullet-dev libode-dev libmujoco-dev libdart-dev libsiconos-mechanics-dev libsiconos-numerics-dev 2>/dev/null
} > machine.txt
scenes=${SCENES:-balls-125 balls-1000 bin-200 stack-10}
rm -f -- *.log
: > rows.txt
: > head.txt
for engine in ${ENGINES:-carom bullet ode mujoco dart siconos}; do
  program=$build/bench/peers/bench_peers_$engine
  [ -x "$program" ] || { tell "$engine: not built"; continue; }
  for scene in $scenes; do
    tell "$engine $scene"
    # Siconos and ODE tell of solver trouble among the rows: kept apart.
    timeout -k 10 600 "$program" "$scene" > all.txt 2>> "$engine.log" || tell "$engine $scene ended early, status $?: see $engine.log"
    grep "^scene," all.txt | head -1 > head.txt.new && [ -s head.txt.new ] && mv head.txt.new head.txt
    grep "^$scene," all.txt >> rows.txt
  done
done
# The scenes in their order, the engines in theirs.
{ cat head.txt; for scene in $scenes; do grep "^$scene," rows.txt; done; } > peers.csv
rm -f all.txt rows.txt head.txt head.txt.new
if [ -z "${SCENES:-}${ENGINES:-}" ]; then
  tell "cost against contacts"
  timeout -k 10 600 "$build/bench/peers/bench_peers_scaling" > scaling.csv || tell "scaling ended early"
  tell "contact problems"
  timeout -k 10 1800 "$build/bench/peers/bench_peers_contact_problems" > contact_problems.csv || tell "contact problems ended early"
fi
gnuplot "$here/plot.gp" || tell "no pictures"
{ awk -f "$here/tables.awk" peers.csv; awk -f "$here/ratios.awk" peers.csv; } > peers.md
tell "done: results/peers.md"
