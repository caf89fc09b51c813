package dev.nodekeeper.testbed;

/** A taint as a kubelet registers it. */
public record Taint(String key, String value, String effect) {

  public static Taint noSchedule(String key) {
    return new Taint(key, "", "NoSchedule");
  }
}
