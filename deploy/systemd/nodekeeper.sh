#!/bin/sh
# The command of the package: the controller with the JVM of a service, all else with one that starts fast.
home=/usr/lib/nodekeeper
case ${0##*/} in
kubectl-nodekeeper) name='kubectl nodekeeper' ;;
*) name=nodekeeper ;;
esac
case ${1-} in
run)
  # Threads that come and go would each leave an arena of malloc behind.
  MALLOC_ARENA_MAX=${MALLOC_ARENA_MAX:-1} exec "$home/runtime/bin/java" "@$home/jvm.options" -XX:-UsePerfData -cp "$home/lib/*" dev.nodekeeper.cli.Main "$@"
  ;;
*)
  exec "$home/runtime/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData \
    --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
    -Dnodekeeper.name="$name" -cp "$home/lib/*" dev.nodekeeper.cli.Main "$@"
  ;;
esac
