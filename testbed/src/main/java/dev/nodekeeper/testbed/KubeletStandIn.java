package dev.nodekeeper.testbed;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;

/**
 * Plays the kubelet of one machine over the network, with the real identity of one: the Node
 * authorizer and NodeRestriction treat it as they treat a kubelet.
 */
public final class KubeletStandIn {

  private final Kube admin;
  private final Kube self;
  private Machine machine;

  private KubeletStandIn(Kube admin, Kube self, Machine machine) {
    this.admin = admin;
    this.self = self;
    this.machine = machine;
  }

  public static KubeletStandIn of(ControlPlane plane, Machine machine) {
    return new KubeletStandIn(plane.admin(), plane.as(machine.user(), "system:nodes"), machine);
  }

  public static KubeletStandIn of(ControlPlane plane, String name) {
    return of(plane, Machine.named(name));
  }

  public String name() {
    return machine.name();
  }

  /** The machine's own client, for requests a test wants to see refused. */
  public Kube client() {
    return self;
  }

  public JsonNode register(Map<String, String> labels, List<Taint> taints) {
    machine = machine.withLabels(labels).withTaints(taints);
    return register();
  }

  /** Creates the Node, or goes on with the one that is there; fails when that is refused. */
  public JsonNode register() {
    var reply = tryRegister();
    return reply.code() == 409 ? takeOver() : reply.expect();
  }

  /** One attempt to create the Node; the server's answer, whatever it is. */
  public Reply tryRegister() {
    return self.create("/api/v1/nodes", machine.node());
  }

  /** A kubelet that finds its Node brings its own labels up to date and leaves the rest alone. */
  private JsonNode takeOver() {
    var patch = Json.MAPPER.createObjectNode();
    patch.putObject("metadata").set("labels", machine.node().path("metadata").path("labels"));
    self.patch(machine.path(), Patch.STRATEGIC, patch).expect();
    return heartbeat().expect();
  }

  /** Reports its status; 404 when the Node is gone, and as a kubelet it does not come back. */
  public Reply heartbeat() {
    return self.patch(machine.path() + "/status", Patch.STRATEGIC, machine.heartbeat());
  }

  /** The Node as the machine sees it. */
  public Reply node() {
    return self.get(machine.path());
  }

  /** The machine is gone: its Node is deleted the way a cloud provider's controller does it. */
  public void vanish() {
    admin.delete(machine.path()).expect();
  }

  /** The same machine registers again; the Node it gets is a new object. */
  public JsonNode comeBack() {
    return tryRegister().expect();
  }
}
