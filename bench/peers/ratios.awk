# awk -f ratios.awk peers.csv: for every row of a peer the fastest row of carom that is at least as accurate in everything that is measured,
# and how much faster it is.
# What is below the floors counts as none: energy rises of 0.01 % of E₀, penetrations of 1 µm (greatest) and 0.1 µm (mean), errors of a step of 0.001,
# which is about what the reference tells apart.
BEGIN { FS = "," }
FNR == 1 { next }
$5 == 0 { next }
function no_worse(mine, theirs, floor) { return theirs ~ /nan/ || mine <= (theirs > floor ? theirs : floor) }
function comparable(status) { return status == "done" }
{
  n++
  scene[n] = $1; engine[n] = $2; settings[n] = $3; speed[n] = $7; deepest[n] = $8; mean[n] = $9; rises[n] = $10; error[n] = $13; status[n] = $15
}
END {
  print "\n**Against each peer**: the fastest row of carom that is at least as accurate in every column; speed over the peer's\n"
  print "| scene | peer | settings | steps/s | carom at least as accurate | steps/s | ratio |\n|---|---|---|---:|---|---:|---:|"
  for (i = 1; i <= n; i++) {
    if (engine[i] ~ /^carom/) continue
    best = 0
    for (k = 1; k <= n; k++)
      if (engine[k] ~ /^carom/ && scene[k] == scene[i] && comparable(status[k]) && no_worse(deepest[k], deepest[i], 1e-6) && no_worse(mean[k], mean[i], 1e-7) &&
          no_worse(rises[k], rises[i], 1e-4) && no_worse(error[k], error[i], 1e-3) && (!best || speed[k] > speed[best])) best = k
    cut = comparable(status[i]) ? "" : " (" status[i] ")"
    if (best) printf "| %s | %s | %s%s | %.3g | %s | %.3g | %.2g |\n", scene[i], engine[i], settings[i], cut, speed[i], settings[best], speed[best], speed[best] / speed[i]
    else printf "| %s | %s | %s%s | %.3g | – | – | – |\n", scene[i], engine[i], settings[i], cut, speed[i]
  }
}
