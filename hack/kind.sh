#!/bin/sh
# kind.sh up: a kind cluster with two workers, our image in it, and the story: a worker's Node is deleted, its
# kubelet registers it again, and it gets back what people put on it. kind.sh down: the cluster goes.
set -eu
cd "$(dirname "$0")/.."
name=nodekeeper
node=$name-worker
for tool in docker kind kubectl; do
  command -v $tool >/dev/null 2>&1 || {
    echo "CLUSTER=kind needs docker, kind and kubectl on the PATH, and there is no $tool; 'make up' alone needs none of them" >&2
    exit 1
  }
done

if [ "$1" = down ]; then
  exec kind delete cluster --name $name
fi

kube() {
  kubectl --context kind-$name "$@"
}

# Until the command succeeds; what it says does not matter before.
await() { # what command...
  what=$1
  shift
  tries=0
  until "$@" >/dev/null 2>&1; do
    tries=$((tries + 1))
    [ $tries -lt 120 ] || {
      echo "kind.sh: waited two minutes for $what; see: kubectl --context kind-$name get nodes,pods -A" >&2
      exit 1
    }
    sleep 1
  done
}

if ! kind get clusters 2>/dev/null | grep -qx $name; then
  kind create cluster --name $name --config - <<END
kind: Cluster
apiVersion: kind.x-k8s.io/v1alpha4
nodes:
- role: control-plane
- role: worker
- role: worker
END
fi

IMAGE=nodekeeper:latest hack/image.sh
archive=$(mktemp --suffix=.tar)
trap 'rm -f "$archive"' EXIT
rm "$archive"
# image.sh takes buildah where it is there, and docker does not see what that has built.
if command -v buildah >/dev/null 2>&1; then
  buildah push -q nodekeeper:latest "docker-archive:$archive:nodekeeper:latest"
else
  docker save -o "$archive" nodekeeper:latest
fi
kind load image-archive --name $name "$archive"

kube apply --server-side -k deploy/kustomize/overlays/single
kube rollout status -n nodekeeper deployment/nodekeeper --timeout=180s

lives() {
  kube get node $node -o jsonpath='{.metadata.uid}{"  team="}{.metadata.labels.team}{"  dedicated="}{.spec.taints[?(@.key=="dedicated")].value}{"\n"}'
}
labelled() {
  [ "$(kube get node $node -o jsonpath='{.metadata.labels.team}')" = vision ]
}
recorded() {
  kube get configmap $node -n nodekeeper -o jsonpath='{.data.record\.json}' | grep -q dedicated
}
kube label node $node team=vision --overwrite
kube taint node $node dedicated=vision:NoSchedule --overwrite
await "the record of $node" recorded
echo "before    $(lives)"
kube delete node $node
docker exec $node systemctl restart kubelet
await "the return of $node with its label" labelled
echo "returned  $(lives)"
echo
echo "Try: kubectl --context kind-$name get configmap $node -n nodekeeper -o yaml"
echo "     ./nodekeeper list (it uses the current context)"
echo "     make down CLUSTER=kind"
