package dev.nodekeeper.testbed;

import dev.nodekeeper.testbed.binaries.Tool;

/** The programs of a control plane, in the order in which they start. */
public enum Part {
  ETCD(Tool.ETCD),
  APISERVER(Tool.KUBE_APISERVER),
  CONTROLLER_MANAGER(Tool.KUBE_CONTROLLER_MANAGER),
  SCHEDULER(Tool.KUBE_SCHEDULER);

  private final Tool tool;

  Part(Tool tool) {
    this.tool = tool;
  }

  Tool tool() {
    return tool;
  }

  String title() {
    return tool.fileName();
  }
}
