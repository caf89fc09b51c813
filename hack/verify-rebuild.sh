#!/bin/sh
# Builds the last commit twice, in two clones, and compares what comes out: jars, runtime, SBOM, package.
set -eu
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# Of now: somebody may commit while it builds.
commit=$(git rev-parse HEAD)
for clone in one a-second-clone-elsewhere; do
  git clone -q . "$scratch/$clone"
  git -C "$scratch/$clone" checkout -q "$commit"
  (cd "$scratch/$clone" && hack/deb.sh >/dev/null)
  (cd "$scratch/$clone/target" && find dist *.deb -type f -exec sha256sum {} + | sort -k 2) >"$scratch/$clone.sums"
done
diff "$scratch/one.sums" "$scratch/a-second-clone-elsewhere.sums"
echo "the same, $(wc -l <"$scratch/one.sums") files:"
grep -e '\.deb$' -e nodekeeper-.*jar -e sbom "$scratch/one.sums"
