package dev.nodekeeper.bench.load;

import dev.nodekeeper.api.Call;

/** What the bench asks for in the name of kubelets and people; the names show in managedFields. */
public final class Requests {
  private static final String NODES = "/api/v1/nodes";

  private Requests() {}

  public static Call register(Fleet fleet, int index) {
    return lean(Call.post(NODES + "?fieldManager=kubelet", fleet.registration(index)));
  }

  public static Call vanish(Fleet fleet, int index) {
    return lean(Call.delete(fleet.path(index), ""));
  }

  public static Call heartbeat(Fleet fleet, int index, String body) {
    return Call.patch(fleet.path(index) + "/status?fieldManager=kubelet", Loader.STRATEGIC, body);
  }

  /** A person, or somebody's script. */
  public static Call person(Fleet fleet, int index, String body) {
    return Call.patch(fleet.path(index) + "?fieldManager=kubectl-label", Loader.MERGE, body);
  }

  /** Changes one annotation that nobody keeps. */
  public static Call plain(Fleet fleet, int index, String value) {
    return person(
        fleet,
        index,
        "{\"metadata\":{\"annotations\":{\"%s\":\"%s\"}}}".formatted(Fleet.PLAIN, value));
  }

  /** Without the object in the reply, which nobody here reads. */
  private static Call lean(Call call) {
    return new Call(
        call.method(),
        call.path(),
        call.contentType(),
        Call.METADATA_ONLY,
        call.body(),
        call.timeout());
  }
}
