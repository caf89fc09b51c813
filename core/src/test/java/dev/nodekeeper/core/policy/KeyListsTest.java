package dev.nodekeeper.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The lists we ship")
class KeyListsTest {

  private static final String FACTS = "facts.txt";
  private static final String TAINTS = "passing-taints.txt";
  private static final String ANNOTATIONS = "machine-annotations.txt";

  @ParameterizedTest
  @DisplayName("have no malformed line, and are not empty")
  @ValueSource(strings = {FACTS, TAINTS, ANNOTATIONS})
  void wellFormed(String file) throws IOException {
    assertThat(KeyPatterns.resource(file)).isNotNull();
    assertThat(patterns(lines(file))).hasSizeGreaterThan(20);
  }

  @ParameterizedTest
  @DisplayName("give each group a heading and then a source, before its first pattern")
  @ValueSource(strings = {FACTS, TAINTS, ANNOTATIONS})
  void sources(String file) throws IOException {
    for (List<String> group : groups(file)) {
      List<String> comments = group.stream().takeWhile(line -> line.startsWith("#")).toList();
      assertThat(comments).as("%s: %s", file, group).hasSizeGreaterThan(1);
      assertThat(comments.getFirst()).as("heading").startsWith("# ").doesNotContain("source:");
      assertThat(comments).as("source").anyMatch(line -> line.startsWith("# source: "));
      assertThat(group.subList(comments.size(), group.size()))
          .as("no comment between patterns")
          .noneMatch(line -> line.startsWith("#"));
    }
  }

  @ParameterizedTest
  @DisplayName("are sorted within a group")
  @ValueSource(strings = {FACTS, TAINTS, ANNOTATIONS})
  void sorted(String file) throws IOException {
    for (List<String> group : groups(file)) {
      assertThat(patterns(group)).isSorted();
    }
  }

  @ParameterizedTest
  @DisplayName("say nothing twice: no duplicate, no pattern swallowed by another")
  @ValueSource(strings = {FACTS, TAINTS, ANNOTATIONS})
  void minimal(String file) throws IOException {
    List<String> all = patterns(lines(file));
    assertThat(all).doesNotHaveDuplicates();
    for (String pattern : all) {
      List<String> others = all.stream().filter(other -> !other.equals(pattern)).toList();
      // A pattern that matches another one letter by letter, stars included, swallows it.
      assertThat(KeyPatterns.of(file, others).matches(pattern)).as(pattern).isFalse();
    }
  }

  @ParameterizedTest
  @DisplayName("call a label that software sets a fact")
  @ValueSource(
      strings = {
        "kubernetes.io/hostname",
        "kubernetes.io/os",
        "beta.kubernetes.io/arch",
        "node.kubernetes.io/instance-type",
        "topology.kubernetes.io/zone",
        "topology.kubernetes.io/region",
        "failure-domain.beta.kubernetes.io/zone",
        "topology.ebs.csi.aws.com/zone",
        "eks.amazonaws.com/nodegroup",
        "topology.k8s.aws/network-node-layer-1",
        "cloud.google.com/gke-nodepool",
        "kubernetes.azure.com/agentpool",
        "karpenter.sh/nodepool",
        "karpenter.k8s.aws/instance-family",
        "cluster.x-k8s.io/cluster-name",
        "node.openshift.io/os_id",
        "feature.node.kubernetes.io/cpu-model.id",
        "intel.feature.node.kubernetes.io/gpu",
        "nvidia.com/gpu.count",
        "nvidia.com/gpu.product",
        "nvidia.com/cuda.driver.major",
        "nvidia.com/mig-1g.5gb.count",
        "nvidia.com/mig.config.state",
        "amd.com/gpu.family",
        "gpu.intel.com/device-id.0300-9a49.present",
        "k3s.io/hostname",
        "cpu-model.node.kubevirt.io/Skylake-Client",
      })
  void facts(String label) {
    assertThat(KeyPatterns.resource(FACTS).matches(label)).isTrue();
  }

  @ParameterizedTest
  @DisplayName("leave people their labels, reserved ones above all")
  @ValueSource(
      strings = {
        "node-role.kubernetes.io/worker",
        "node-role.kubernetes.io/control-plane",
        "node-role.kubernetes.io/gpu",
        "node-restriction.kubernetes.io/team",
        "acme.node-restriction.kubernetes.io/team",
        "node.kubernetes.io/exclude-from-external-load-balancers",
        "kubernetes.io/role",
        "topology.kubernetes.io/rack",
        "topology.rook.io/rack",
        "nvidia.com/gpu.deploy.driver",
        "nvidia.com/gpu.deploy.operands",
        "nvidia.com/gpu.workload.config",
        "nvidia.com/mig.config",
        "nvidia.com/vgpu.config",
        "nvidia.com/cc.mode",
        "nvidia.com/device-plugin.config",
        "nvidia.com/gpu-driver-upgrade.skip",
        "nvidia.com/gpu-driver-upgrade-drain.skip",
        "k8s.amazonaws.com/eniConfig",
        "vpc.amazonaws.com/eniConfig",
        "k8s.ovn.org/egress-assignable",
        "svccontroller.k3s.cattle.io/enablelb",
        "cluster.ocs.openshift.io/openshift-storage",
        "node.longhorn.io/create-default-disk",
        "medik8s.io/exclude-from-remediation",
        "node.kubernetes.io/masq-agent-ds-ready",
        "accelerator",
        "agentpool",
        "zone",
        "example.com/team",
      })
  void peopleLabels(String label) {
    assertThat(KeyPatterns.resource(FACTS).matches(label)).isFalse();
  }

  @ParameterizedTest
  @DisplayName("let a taint of the node's life cycle pass")
  @ValueSource(
      strings = {
        "node.kubernetes.io/not-ready",
        "node.kubernetes.io/unschedulable",
        "node.kubernetes.io/out-of-service",
        "node.cloudprovider.kubernetes.io/uninitialized",
        "node.cloudprovider.kubernetes.io/shutdown",
        "ToBeDeletedByClusterAutoscaler",
        "DeletionCandidateOfClusterAutoscaler",
        "startup-taint.cluster-autoscaler.kubernetes.io/gpu",
        "karpenter.sh/disrupted",
        "karpenter.sh/disruption",
        "karpenter.sh/unregistered",
        "node.cluster.x-k8s.io/uninitialized",
        "node.cluster.x-k8s.io/outdated-revision",
        "node.cilium.io/agent-not-ready",
        "ebs.csi.aws.com/agent-not-ready",
        "efs.csi.aws.com/agent-not-ready",
        "cni.istio.io/not-ready",
        "aws-node-termination-handler/spot-itn",
        "remediator.kubernetes.azure.com/unschedulable",
        "UpdateInProgress",
      })
  void passingTaints(String taint) {
    assertThat(KeyPatterns.resource(TAINTS).matches(taint)).isTrue();
  }

  @ParameterizedTest
  @DisplayName("leave people their taints")
  @ValueSource(
      strings = {
        "node-role.kubernetes.io/control-plane",
        "acme.node-restriction.kubernetes.io/team",
        "nvidia.com/gpu",
        "CriticalAddonsOnly",
        "kubernetes.azure.com/scalesetpriority",
        "node.ocs.openshift.io/storage",
        "dedicated",
        "not-ready",
        "example.com/maintenance",
      })
  void peopleTaints(String taint) {
    assertThat(KeyPatterns.resource(TAINTS).matches(taint)).isFalse();
  }

  @ParameterizedTest
  @DisplayName("bind an annotation to its machine")
  @ValueSource(
      strings = {
        "nodekeeper.dev/restored",
        "csi.volume.kubernetes.io/nodeid",
        "node.alpha.kubernetes.io/ttl",
        "volumes.kubernetes.io/controller-managed-attach-detach",
        "kubeadm.alpha.kubernetes.io/cri-socket",
        "kubectl.kubernetes.io/last-applied-configuration",
        "alpha.kubernetes.io/provided-node-ip",
        "flannel.alpha.coreos.com/public-ip",
        "flannel.alpha.coreos.com/backend-data",
        "projectcalico.org/IPv4Address",
        "network.cilium.io/ipv4-pod-cidr",
        "io.cilium.network.ipv4-pod-cidr",
        "k8s.ovn.org/node-chassis-id",
        "k3s.io/node-args",
        "rke2.io/node-args",
        "etcd.k3s.cattle.io/node-name",
        "cluster.x-k8s.io/machine",
        "machine.openshift.io/machine",
        "machineconfiguration.openshift.io/currentConfig",
        "karpenter.sh/nodepool-hash",
        "karpenter.sh/nodeclaim-termination-timestamp",
        "karpenter.k8s.aws/ec2nodeclass-hash",
        "nfd.node.kubernetes.io/feature-labels",
        "node.gke.io/last-applied-node-labels",
        "node.machine.sapcloud.io/trigger-deletion-by-mcm",
      })
  void machineAnnotations(String annotation) {
    assertThat(KeyPatterns.resource(ANNOTATIONS).matches(annotation)).isTrue();
  }

  @ParameterizedTest
  @DisplayName("leave people their annotations")
  @ValueSource(
      strings = {
        "cluster-autoscaler.kubernetes.io/scale-down-disabled",
        "karpenter.sh/do-not-disrupt",
        "flannel.alpha.coreos.com/public-ip-overwrite",
        "flannel.alpha.coreos.com/public-ipv6-overwrite",
        "projectcalico.org/ASNumber",
        "projectcalico.org/RouteReflectorClusterID",
        "cilium.io/bgp-virtual-router.64512",
        "ovn.kubernetes.io/tunnel_interface",
        "k8s.amazonaws.com/eniConfig",
        "node.longhorn.io/default-disks-config",
        "node.machine.sapcloud.io/preserve",
        "example.com/rack",
        "note",
      })
  void peopleAnnotations(String annotation) {
    assertThat(KeyPatterns.resource(ANNOTATIONS).matches(annotation)).isFalse();
  }

  /** The blocks of lines that hold a pattern; a block ends at a blank line. */
  private static List<List<String>> groups(String file) throws IOException {
    List<List<String>> groups = new ArrayList<>();
    List<String> group = new ArrayList<>();
    for (String line : lines(file)) {
      if (line.isBlank()) {
        groups.add(group);
        group = new ArrayList<>();
      } else {
        group.add(line);
      }
    }
    groups.add(group);
    return groups.stream().filter(lines -> !patterns(lines).isEmpty()).toList();
  }

  private static List<String> patterns(List<String> lines) {
    return lines.stream().filter(line -> !line.isBlank() && !line.startsWith("#")).toList();
  }

  private static List<String> lines(String file) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(KeyPatterns.class.getResourceAsStream(file), file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }
}
