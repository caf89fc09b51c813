#!/bin/sh
# The program with a Java runtime of its own under target/dist/usr/lib/nodekeeper: what the image and
# the package carry. The same sources and the same JDK give the same bytes, wherever and whenever.
set -eu
cd "$(dirname "$0")/.."
JAVA_HOME=$(hack/find-jdk.sh)
export JAVA_HOME

./mvnw -q -B -ntp -Dmaven.test.skip=true -Dspotless.check.skip=true -pl cli -am package \
  org.cyclonedx:cyclonedx-maven-plugin:makeBom

dist=target/dist
home=$dist/usr/lib/nodekeeper
rm -rf "$dist"
mkdir -p "$home"
cp -R cli/target/app/lib cli/target/app/jvm.options "$home"
cp LICENSE cli/target/sbom.json "$home"

# What jdeps finds, and what is asked for by name: EC keys of clusters, JNDI and XML of logback.
"$JAVA_HOME/bin/jlink" --output "$home/runtime" \
  --add-modules java.base,java.logging,java.management,java.naming,java.net.http,java.sql,java.xml,jdk.httpserver,jdk.management,jdk.unsupported,jdk.crypto.ec \
  --strip-java-debug-attributes --no-header-files --no-man-pages --compress zip-6

# A jar's time is part of what an AOT cache checks, and of what an archive holds.
epoch=$(sed -n 's:.*<project.build.outputTimestamp>\(.*\)</project.*:\1:p' pom.xml)
chmod -R u=rwX,go=rX "$dist"
find "$dist" -exec touch -h -d "$epoch" {} +
