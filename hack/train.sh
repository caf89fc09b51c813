#!/bin/sh
# train.sh FOLDER: trains an AOT cache for the program in it (lib, jvm.options, perhaps a runtime) on a
# real control plane: start, list thousands, capture, restore, stop.
# It works only with the very runtime and jars that it was trained with, so it is made anew each time.
set -eu
home=$(CDPATH= cd "$1" && pwd -P)
cd "$(dirname "$0")/.."
jdk=$(hack/find-jdk.sh)
java=$home/runtime/bin/java
[ -x "$java" ] || java=$jdk/bin/java
scratch=$(mktemp -d)
NODEKEEPER_UP_DIR=$scratch/up
export NODEKEEPER_UP_DIR
end() {
  ./nodekeeper down >/dev/null 2>&1 || true
  rm -rf "$scratch"
}
trap end EXIT
trap 'exit 130' INT TERM

rm -f "$home/nodekeeper.aot"
./nodekeeper up >"$scratch/log" 2>&1 || {
  cat "$scratch/log" >&2
  exit 1
}
"$jdk/bin/java" -cp "$home/lib/*" hack/Crowd.java "$NODEKEEPER_UP_DIR" >"$scratch/log" 2>&1 || {
  cat "$scratch/log" >&2
  exit 1
}
# Beside the one that `up` started, and like it: without leases both act, which breaks nothing.
"$java" "@$home/jvm.options" -XX:AOTCacheOutput="$home/nodekeeper.aot" -cp "$home/lib/*" \
  dev.nodekeeper.cli.Main run --kubeconfig="$NODEKEEPER_UP_DIR/kubeconfig/nodekeeper.yaml" --shards=0 --http-port=0 --console=127.0.0.1:0 \
  --log-format=json >"$scratch/log" 2>&1 &
trained=$!
./nodekeeper restart worker-1 >/dev/null
./nodekeeper restart worker-2 >/dev/null
sleep 10
kill -TERM $trained
wait $trained || true
[ -s "$home/nodekeeper.aot" ] || {
  cat "$scratch/log" >&2
  echo "train.sh: no cache was written" >&2
  exit 1
}
