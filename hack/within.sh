#!/bin/sh
# within.sh MIB COMMAND...: runs it with so much memory and not more, as a container with that limit does.
# Makes a memory cgroup (version 1 or 2), for which it has to be root.
set -eu
bytes=$(($1 * 1048576))
shift
top=/sys/fs/cgroup
if [ -d $top/memory ]; then
  top=$top/memory
  limit=memory.limit_in_bytes
else
  limit=memory.max
  echo +memory >$top/cgroup.subtree_control || true
fi
# Those of earlier runs; one that is in use stays.
rmdir $top/nodekeeper-within-* 2>/dev/null || true
group=$top/nodekeeper-within-$$
if ! { mkdir $group && echo "$bytes" >"$group/$limit" && echo $$ >$group/cgroup.procs; }; then
  echo "within.sh: no memory cgroup could be made in $top: be root, on a machine where that can be written" >&2
  exit 1
fi
exec "$@"
