#!/bin/sh
# Builds the last commit twice, in two clones, and compares what comes out: jars, runtime, SBOM, package and,
# where there is buildah, the layers of the image but the last: an AOT cache differs from build to build.
set -eu
cd "$(dirname "$0")/.."
export STORAGE_DRIVER="${STORAGE_DRIVER-vfs}"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# Of now: somebody may commit while it builds.
commit=$(git rev-parse HEAD)
for clone in one a-second-clone-elsewhere; do
  git clone -q . "$scratch/$clone"
  git -C "$scratch/$clone" checkout -q "$commit"
  (cd "$scratch/$clone" && hack/deb.sh >/dev/null)
  (cd "$scratch/$clone/target" && find dist *.deb -type f -exec sha256sum {} + | sort -k 2) >"$scratch/$clone.sums"
  if command -v buildah >/dev/null 2>&1; then
    image=localhost/nodekeeper-rebuild:$clone
    (cd "$scratch/$clone" && IMAGE=$image hack/image.sh >/dev/null)
    podman image inspect --format '{{range .RootFS.Layers}}{{println .}}{{end}}' "$image" |
      sed '/^$/d; s/^sha256://' | head -n -1 | sed 's/$/  layer of the image/' >>"$scratch/$clone.sums"
    podman rmi -f "$image" >/dev/null
  fi
done
diff "$scratch/one.sums" "$scratch/a-second-clone-elsewhere.sums"
echo "the same, $(wc -l <"$scratch/one.sums") files and layers:"
grep -e '\.deb$' -e nodekeeper-.*jar -e sbom -e layer "$scratch/one.sums"
