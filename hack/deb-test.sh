#!/bin/sh
# Installs, runs, upgrades, removes and purges target/nodekeeper_*.deb in a chroot, and looks at its unit.
# systemd need not be PID 1: the unit's command line is started as an unprivileged user, with its environment.
set -eu
cd "$(dirname "$0")/.."
deb=$(ls target/nodekeeper_*.deb)
scratch=$(mktemp -d)
chroot=$scratch/root
NODEKEEPER_UP_DIR=$scratch/up
export NODEKEEPER_UP_DIR
end() {
  ./nodekeeper down >/dev/null 2>&1 || true
  umount "$chroot/proc" "$chroot/dev/urandom" 2>/dev/null || true
  rm -rf --one-file-system "$scratch"
}
trap end EXIT
trap 'exit 130' INT TERM
fail() {
  echo "deb-test: $*" >&2
  exit 1
}
inside() { chroot "$chroot" env PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"; }

base=${XDG_CACHE_HOME:-$HOME/.cache}/nodekeeper/debian.tar
if [ ! -s "$base" ]; then
  mkdir -p "$(dirname "$base")"
  mmdebstrap --quiet --variant=essential bookworm "$base.part"
  mv "$base.part" "$base"
fi
mkdir -p "$chroot"
tar -xf "$base" -C "$chroot"
mount -t proc proc "$chroot/proc"
touch "$chroot/dev/urandom" && mount --bind /dev/urandom "$chroot/dev/urandom"

echo "install"
cp "$deb" "$chroot/one.deb"
inside dpkg -i /one.deb >"$scratch/log" 2>&1 || fail "$(cat "$scratch/log")"
grep -q "put a kubeconfig" "$scratch/log" || fail "nobody is told what to do next"
inside nodekeeper version | grep -q '^nodekeeper ' || fail "it does not start"
[ -z "$(find "$chroot/usr/lib/nodekeeper" "$chroot/usr/bin/nodekeeper" -perm /022 ! -type l)" ] || fail "files that others may write"

echo "the unit"
sed "s:^ExecStart=:&$chroot:" "$chroot/usr/lib/systemd/system/nodekeeper.service" >"$scratch/nodekeeper.service"
# What systemd 252 does not know yet, it says and ignores.
systemd-analyze verify "$scratch/nodekeeper.service" 2>&1 | grep -v "Unknown key 'Restart\(Steps\|MaxDelaySec\)'" |
  grep nodekeeper >"$scratch/log" && fail "$(cat "$scratch/log")"
systemd-analyze security --offline=true --threshold=20 "$chroot/usr/lib/systemd/system/nodekeeper.service" >"$scratch/log" 2>&1 ||
  fail "$(cat "$scratch/log")"
grep Overall "$scratch/log"

echo "run, as the unit does, as a user without rights"
./nodekeeper up >"$scratch/log" 2>&1 || fail "$(cat "$scratch/log")"
cp "$NODEKEEPER_UP_DIR/kubeconfig/nodekeeper.yaml" "$chroot/kubeconfig"
chmod 644 "$chroot/kubeconfig"
port=18089
command=$(sed -n 's/^ExecStart=//p' "$chroot/usr/lib/systemd/system/nodekeeper.service")
# shellcheck disable=SC2046,SC2086 # words
env -i PATH="$PATH" $(grep -v '^#' "$chroot/etc/nodekeeper/nodekeeper.env") NODEKEEPER_KUBECONFIG=/kubeconfig NODEKEEPER_HTTP_PORT=$port \
  chroot --userspec=65534:65534 "$chroot" $command >"$scratch/log" 2>&1 &
service=$!
tries=0
until curl -fs "http://127.0.0.1:$port/readyz" >/dev/null; do
  tries=$((tries + 1))
  [ $tries -lt 120 ] && kill -0 $service || fail "not ready: $(cat "$scratch/log")"
  sleep 1
done
grep -q '^Uid:[[:space:]]*65534' /proc/$service/status || fail "it runs as somebody else"
kill -TERM $service
wait $service || fail "it ended with $?"

echo "upgrade"
echo "NODEKEEPER_LOG_LEVEL=debug" >>"$chroot/etc/nodekeeper/nodekeeper.env"
cp "$chroot/kubeconfig" "$chroot/etc/nodekeeper/kubeconfig"
dpkg-deb -R "$deb" "$scratch/two"
sed -i 's/^Version: .*/Version: 99.0/' "$scratch/two/DEBIAN/control"
rm "$scratch/two/usr/lib/nodekeeper/lib"/HdrHistogram-*.jar
dpkg-deb -Znone --root-owner-group --build "$scratch/two" "$chroot/two.deb" >/dev/null
inside dpkg -i /two.deb >"$scratch/log" 2>&1 || fail "$(cat "$scratch/log")"
grep -q LOG_LEVEL=debug "$chroot/etc/nodekeeper/nodekeeper.env" || fail "the settings of a person are gone"
ls "$chroot/usr/lib/nodekeeper/lib" | grep -q HdrHistogram && fail "a jar of the old version stayed"

echo "remove"
inside dpkg -r nodekeeper >/dev/null 2>&1
[ ! -e "$chroot/usr/lib/nodekeeper" ] && [ ! -e "$chroot/usr/bin/nodekeeper" ] || fail "the program is still there"
[ -e "$chroot/etc/nodekeeper/nodekeeper.env" ] && [ -e "$chroot/etc/nodekeeper/kubeconfig" ] || fail "settings go with purge, not before"

echo "purge"
inside dpkg -P nodekeeper >/dev/null 2>&1
[ ! -e "$chroot/etc/nodekeeper" ] || fail "left: $(ls "$chroot/etc/nodekeeper")"
inside dpkg --verify
echo "deb-test: ok"
