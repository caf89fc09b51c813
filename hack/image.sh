#!/bin/sh
# Builds the image IMAGE (nodekeeper:latest) with buildah, podman or docker.
# STORAGE_DRIVER=vfs where overlays cannot be nested.
# BASE names the base image; where none can be pulled, a small Debian is made from its packages.
set -eu
cd "$(dirname "$0")/.."
image=${IMAGE:-nodekeeper:latest}
hack/dist.sh
hack/train.sh target/dist/usr/lib/nodekeeper
rm -rf target/aot
mkdir target/aot
mv target/dist/usr/lib/nodekeeper/nodekeeper.aot target/aot/
touch -d "$(sed -n 's:.*<project.build.outputTimestamp>\(.*\)</project.*:\1:p' pom.xml)" \
  target/dist/usr/lib/nodekeeper target/aot target/aot/nodekeeper.aot

if command -v buildah >/dev/null 2>&1; then
  base=${BASE-}
  if [ -z "$base" ] && ! buildah pull -q debian:12-slim >/dev/null 2>&1; then
    base=localhost/nodekeeper-base
    if ! buildah inspect --type image $base >/dev/null 2>&1; then
      echo "No base image can be pulled: making one from Debian packages"
      tar=$(mktemp --suffix=.tar)
      mmdebstrap --quiet --variant=essential bookworm "$tar"
      podman import -q "$tar" $base >/dev/null
      rm "$tar"
    fi
  fi
  # chroot: works where containers cannot be nested.
  exec buildah bud --isolation chroot --layers --no-cache --timestamp 1767225600 \
    ${base:+--build-arg BASE="$base"} -f Containerfile --ignorefile .containerignore -t "$image" .
fi
exec docker build ${BASE:+--build-arg BASE="$BASE"} -f Containerfile -t "$image" .
