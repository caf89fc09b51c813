#!/bin/sh
# Prints the home of a JDK 25 or newer. Looks for one, never assumes one, and starts no JVM:
# the `release` file of a JDK says what it is.
#
# Order: JAVA_HOME, the java on the PATH, the usual places (a 25 before anything newer).
# NODEKEEPER_JDK_PLACES (folders that hold JDKs, colon separated) replaces the usual places.
set -u

need=25
seen=

# What is there but will not do, for the message.
note() {
  case $seen in
  *"  $1"*) ;;
  *)
    seen="$seen
  $1"
    ;;
  esac
}

# The major version of the JDK in $1 into $major; empty when there is no whole JDK.
look() {
  major=
  [ -r "$1/release" ] && [ -x "$1/bin/java" ] || return 1
  while IFS='=' read -r name value; do
    if [ "$name" = JAVA_VERSION ]; then
      value=${value#\"}
      major=${value%%[!0-9]*}
      break
    fi
  done <"$1/release"
  [ -n "$major" ] || return 1
  if [ ! -x "$1/bin/javac" ]; then
    note "$1: Java $major without javac (a JRE; the build needs a JDK)"
    return 1
  fi
  if [ "$major" -lt "$need" ]; then
    note "$1: JDK $major"
    return 1
  fi
}

# The folder above bin/ of a program, through any chain of links.
home_of() {
  file=$1
  while [ -L "$file" ]; do
    target=$(readlink "$file")
    case $target in
    /*) file=$target ;;
    *) file=$(dirname "$file")/$target ;;
    esac
  done
  CDPATH= cd "$(dirname "$file")/.." 2>/dev/null && pwd -P
}

places() {
  if [ -n "${NODEKEEPER_JDK_PLACES-}" ]; then
    printf '%s\n' "$NODEKEEPER_JDK_PLACES" | tr ':' '\n'
    return
  fi
  cat <<END
/usr/lib/jvm
/usr/lib64/jvm
/usr/local/lib/jvm
/usr/java
/usr/local
/opt
/opt/java
/opt/jdk
/Library/Java/JavaVirtualMachines
/opt/homebrew/opt
/usr/local/opt
/home/linuxbrew/.linuxbrew/opt
${SDKMAN_DIR:-$HOME/.sdkman}/candidates/java
$HOME/.jdks
$HOME/.gradle/jdks
$HOME/.local/share/mise/installs/java
$HOME/.asdf/installs/java
$HOME/.jenv/versions
$HOME/Library/Java/JavaVirtualMachines
END
}

: "${HOME:=/nonexistent}"

if [ -n "${JAVA_HOME-}" ] && look "$JAVA_HOME"; then
  printf '%s\n' "$JAVA_HOME"
  exit 0
fi

on_path=$(command -v java 2>/dev/null)
if [ -n "$on_path" ] && home=$(home_of "$on_path") && look "$home"; then
  printf '%s\n' "$home"
  exit 0
fi

best=
best_major=
while IFS= read -r place; do
  for home in "$place" "$place"/* "$place"/*/Contents/Home "$place"/*/libexec/openjdk.jdk/Contents/Home; do
    if look "$home" && { [ -z "$best" ] || [ "$major" -lt "$best_major" ]; }; then
      best=$home
      best_major=$major
    fi
  done
done <<END
$(places)
END

if [ -n "$best" ]; then
  printf '%s\n' "$best"
  exit 0
fi

{
  echo "nodekeeper: no JDK $need or newer found: not in JAVA_HOME (${JAVA_HOME:-not set}), not as java on the PATH, not in the usual places."
  [ -z "$seen" ] || printf 'What there is:%s\n' "$seen"
  echo "Install one, for example:"
  echo "  Debian, Ubuntu   apt-get install temurin-$need-jdk   (after adding https://adoptium.net/installation/linux)"
  echo "  macOS            brew install openjdk@$need"
  echo "  anywhere         curl -s https://get.sdkman.io | bash, then: sdk install java $need-tem"
  echo "or set JAVA_HOME to one that is somewhere else."
} >&2
exit 1
