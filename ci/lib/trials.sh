# The parts that ci/check-trials and ci/regression-trials have in common: their options, a copy of HEAD with planted faults, and a table of trials.
#
# A script that sources this file sets `name` and the defaults of its options, and defines two functions:
#
#   measure FAULT WORKS      makes one measurement of the cells of these works, sets `code` to its exit code, and writes what it prints to $out/last.txt
#   finding                  prints from that file what a line of trials.csv should say; without commas

say() { printf '%s: %s\n' "$name" "$*" >&2; }

trials=10 fresh=0 options=()
every='upsert|retrieve|match'
read_options() {
  while [ $# -gt 0 ]; do
    case "$1" in
      --trials) trials="$2"; shift 2 ;;
      --works) works="$2"; shift 2 ;;
      --percents) percents="$2"; shift 2 ;;
      --pairs) options=(--pairs "$2"); shift 2 ;;
      --fresh) fresh=1; shift ;;
      *) say "there is no option $1"; exit 2 ;;
    esac
  done
}

# Every fault is planted in the copy, and none acts until PLANTED_FAULT names it: one build serves all trials of both scripts.
make_copy() {
  export SOUP_BUILDS="${SOUP_BUILDS:-$PWD/runs/builds}"
  copy="$SOUP_BUILDS/planted" out="runs/$name"
  mkdir -p "$SOUP_BUILDS" "$out"
  git worktree prune
  if [ -d "$copy" ]; then
    git -C "$copy" checkout --quiet --force --detach "$(git rev-parse HEAD)"
  else
    git worktree add --detach --quiet "$copy" HEAD
  fi
  # A SQLCipher that ci/setup unpacked here serves the copy too.
  if [ -d cipher ] && [ ! -e "$copy/cipher" ]; then ln -s "$PWD/cipher" "$copy/cipher"; fi
  python3 ci/lib/plant_slowness.py "$copy"
  say "building the copy with its faults (release)"
  (cd "$copy" && swift build -c release --product soup >&2) || { say "the copy cannot be built"; exit 2; }
}

# Succeeds if what is in $out cannot be continued, because --fresh was given or HEAD or --pairs are others. begin_trials is called next.
begins_again() { [ "$fresh" = 1 ] || [ "$(cat "$out/commit" 2>/dev/null)" != "$(trials_key)" ]; }
trials_key() { echo "$(git rev-parse --short=12 HEAD) ${options[*]-}"; }
begin_trials() {
  echo 'fault,percent,trial,exit,attempts,seconds,finding' >"$out/trials.csv"
  trials_key >"$out/commit"
}

# One trial, measured again while its run is not valid; a line of trials.csv.
trial() { # row, percent, number, fault, works
  local attempt start=$SECONDS
  for attempt in 1 2 3 4 5; do
    code=0
    measure "$4" "$5"
    [ "$code" = 3 ] || break
  done
  case $code in
    0 | 1 | 3 | 4 | 5) ;;
    *) say "it ended with $code: see $out/last.txt"; exit 2 ;;
  esac
  echo "$1,$2,$3,$code,$attempt,$((SECONDS - start)),$(finding | tr -d ',"')" >>"$out/trials.csv"
  done_now=$((done_now + 1))
  say "$1 $2 % trial $3 of $trials: exit $code; $done_now trials in $(((SECONDS - begun) / 60)) min"
}

wrong=0
series() { # row, percent, fault, works
  local number red undecided invalid again
  for number in $(seq "$trials"); do
    grep -q "^$1,$2,$number," "$out/trials.csv" || trial "$1" "$2" "$number" "$3" "$4"
  done
  read -r red undecided invalid again < <(awk -F, -v name="$1" -v percent="$2" -v most="$trials" '
    $1 == name && $2 == percent && $3 <= most {
      if ($4 == 1) red++
      else if ($4 == 4 || $4 == 5) undecided++
      else if ($4 != 0) invalid++
      again += $5 - 1
    }
    END { print red + 0, undecided + 0, invalid + 0, again + 0 }' "$out/trials.csv")
  printf '%-13s  %8s  %6s  %3s  %9s  %9s  %14s\n' "$1" "$2" "$trials" "$red" "$undecided" "$invalid" "$again"
  case "$2" in
    0) [ "$red" = 0 ] || wrong=1 ;;
    100) [ "$red" = "$trials" ] || wrong=1 ;;
    20) [ $((red * 10)) -ge $((trials * 9)) ] || wrong=1 ;;
  esac
}

# All trials that are missing, and the table. Ends the script: with 1 if a fault was not found often enough, or one where none was planted.
run_trials() {
  local work percent
  # What was not valid is tried again.
  awk -F, '$4 != 3' "$out/trials.csv" >"$out/valid.csv" && mv "$out/valid.csv" "$out/trials.csv"
  begun=$SECONDS done_now=0
  printf '%-13s  %8s  %6s  %3s  %9s  %9s  %14s\n' fault 'slower %' trials red undecided 'not valid' 'measured again'
  for work in $works; do
    for percent in $percents; do
      # The fault is in the function, whatever the indexes are.
      [ "$percent" = 0 ] || series "$work" "$percent" "${work%%-*}:$percent" "$work"
    done
  done
  case " $percents " in *' 0 '*) series unchanged 0 "" "$every" ;; esac
  exit $wrong
}
