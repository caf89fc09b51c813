#!/bin/sh
# What building and testing need besides a JDK. As root on Debian it installs what is missing,
# else it prints the line to run.
set -eu

missing=
need() { # command package
  command -v "$1" >/dev/null 2>&1 || missing="$missing $2"
}

need git git
need curl curl
need unzip unzip
need find findutils
need ps procps
need faketime faketime # a test lets the clock jump
need prometheus prometheus # alerts and dashboard are tried on a real one
need chromium chromium # tests of the console look at it with a browser

# WITH=image, WITH=deb: what those targets need as well
case ${WITH-} in
image)
  if ! command -v docker >/dev/null 2>&1; then
    need buildah buildah
    need podman podman
    need runc runc
    need mmdebstrap mmdebstrap
  fi
  ;;
deb)
  need dpkg-deb dpkg
  need mmdebstrap mmdebstrap
  need systemd-analyze systemd
  ;;
esac

if [ -n "$missing" ]; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "Installing$missing"
    apt-get update -qq
    # shellcheck disable=SC2086 # a list of packages
    DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $missing
  else
    echo "Missing:$missing. On Debian or Ubuntu run: sudo apt-get install -y$missing" >&2
    exit 1
  fi
fi

# Only where the control plane's programs are neither given, nor cached, nor downloadable.
cache=${XDG_CACHE_HOME:-${HOME:-}/.cache}/nodekeeper/control-plane
if ! command -v go >/dev/null 2>&1 && [ -z "${KUBEBUILDER_ASSETS-}" ] && [ ! -d "$cache" ]; then
  echo "Note: no go on the PATH. It is needed where the control plane cannot be downloaded: https://go.dev/dl" >&2
fi
