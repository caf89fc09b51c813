package dev.nodekeeper.bench.load;

import dev.nodekeeper.api.Call;
import java.time.Duration;

/** What the bench asks for in the name of kubelets and people; the names show in managedFields. */
public final class Requests {
  private static final String NODES = "/api/v1/nodes";
  private static final Duration TIMEOUT = Duration.ofSeconds(15);

  private Requests() {}

  public static Call register(Fleet fleet, int index) {
    return call("POST", NODES, "kubelet", Call.JSON, fleet.registration(index));
  }

  public static Call vanish(Fleet fleet, int index) {
    return delete(fleet.path(index));
  }

  public static Call heartbeat(Fleet fleet, int index, String body) {
    return call("PATCH", fleet.path(index) + "/status", "kubelet", Loader.STRATEGIC, body);
  }

  /** A person, or somebody's script. */
  public static Call person(Fleet fleet, int index, String body) {
    return call("PATCH", fleet.path(index), "kubectl-label", Loader.MERGE, body);
  }

  /** Changes one annotation that nobody keeps. */
  public static Call plain(Fleet fleet, int index, String value) {
    return person(
        fleet,
        index,
        "{\"metadata\":{\"annotations\":{\"%s\":\"%s\"}}}".formatted(Fleet.PLAIN, value));
  }

  /** A node with nothing on it, beside the fleet. */
  public static Call registerBare(int index) {
    return call(
        "POST",
        NODES,
        "kubelet",
        Call.JSON,
        "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"bare-%d\"}}"
            .formatted(index));
  }

  public static Call patchBare(int index, int value) {
    return call(
        "PATCH",
        bare(index),
        "kubectl-label",
        Loader.MERGE,
        "{\"metadata\":{\"labels\":{\"one\":\"%d\",\"two\":\"%d\"}}}".formatted(value, value));
  }

  public static Call removeBare(int index) {
    return delete(bare(index));
  }

  private static String bare(int index) {
    return NODES + "/bare-" + index;
  }

  /** Of whatever version. */
  public static Call delete(String path) {
    return call("DELETE", path, "", Call.JSON, "");
  }

  /** Without the object in the reply, which nobody here reads. */
  private static Call call(
      String method, String path, String manager, String contentType, String body) {
    String query = manager.isEmpty() ? "" : "?fieldManager=" + manager;
    return new Call(method, path + query, contentType, Call.METADATA_ONLY, body, TIMEOUT);
  }
}
