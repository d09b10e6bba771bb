#!/bin/sh
# Carries out independent tasks as a person would: by-hand.sh COUNT CHECKED AGENT...
# Each has a work tree, in which its check fails before the agent and passes after it; then all are merged,
# and all checks pass on the result. CHECKED is empty for tasks without a check.
set -eu
count=$1
checked=$2
shift 2
fails() { [ -z "$checked" ] || ! sh check.sh "$1"; }
passes() { [ -z "$checked" ] || sh check.sh "$1"; }

for n in $(seq "$count"); do git worktree add -q -b "hand-$n" "../hand-$n" HEAD; done
for n in $(seq "$count"); do
  (
    cd "../hand-$n"
    fails "$n"
    printf 'conclave question: {"task":"TASK-%03d","part":"work"}' "$n" | "$@" >/dev/null
    git add -A
    git commit -qm "Do $n"
    passes "$n"
  ) &
done
wait
git worktree add -q -b hand ../hand HEAD
cd ../hand
for n in $(seq "$count"); do git merge -q --no-ff -m "Merge $n" "hand-$n"; done
for n in $(seq "$count"); do passes "$n" & done
wait
for n in $(seq "$count"); do test -f "part-$n.txt"; done
for n in $(seq "$count"); do git worktree remove --force "../hand-$n"; done
