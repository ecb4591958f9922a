#!/bin/sh
# bench/peers/run.sh [BUILD]: every engine on every scene, one after the other, on one thread; results/*.csv, results/*.svg and the tables.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=${1:-$here/../../build/release}
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
mkdir -p "$here/results"
cd "$here/results"
{
  date -u +"%Y-%m-%d %H:%M UTC, load $(cut -d' ' -f1-3 /proc/loadavg)"
  grep -m1 "model name" /proc/cpuinfo | cut -d: -f2
  g++ --version | head -1
  dpkg-query -W -f '${Package} ${Version}\n' libbullet-dev libode-dev libmujoco-dev libdart-dev libsiconos-mechanics-dev libsiconos-numerics-dev 2>/dev/null || true
} > machine.txt
first=yes
: > peers.csv
for engine in carom bullet ode mujoco dart siconos; do
  program=$build/bench/peers/bench_peers_$engine
  [ -x "$program" ] || continue
  # Siconos and ODE tell of solver trouble among the rows: kept apart.
  "$program" > all.txt 2> "$engine.log" || echo "$engine ended early" >&2
  grep -E "^(balls|bin|stack|scene)" all.txt | { [ $first = yes ] && cat || grep -v "^scene,"; } >> peers.csv
  first=no
done
rm -f all.txt
"$build"/bench/peers/bench_peers_scaling > scaling.csv
"$build"/bench/peers/bench_peers_contact_problems > contact_problems.csv
gnuplot "$here/plot.gp"
sort -s -t, -k1,1 peers.csv | grep -v "^scene," | { head -1 peers.csv; cat; } | awk -f "$here/tables.awk" > peers.md
