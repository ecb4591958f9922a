# awk -f tables.awk peers.csv: the tables of bench/README.md, one per scene.
BEGIN { FS = "," }
FNR == 1 { next }
function number(x, digits) { return x ~ /nan/ ? "–" : sprintf("%." digits "g", x) + 0 }
$1 != scene {
  scene = $1
  printf "\n**%s**\n\n| engine | settings | steps/s | penetration, greatest [mm] | mean [µm] | energy rises [%% of E₀] | error of a step | |\n|---|---|---:|---:|---:|---:|---:|---|\n", scene
}
$5 == 0 { printf "| %s | %s | – | – | – | – | – | %s |\n", $2, $3, $15; next }
{ printf "| %s | %s | %s | %s | %s | %s | %s | %s |\n", $2, $3, number($7, 3), number(1e3 * $8, 2), number(1e6 * $9, 2), number(100 * $10, 2), number($13, 2), $15 == "done" ? "" : $15 == "out of time" ? $5 " of " $4 " steps" : $15 }
