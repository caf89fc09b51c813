package dev.nodekeeper.core.model;

/** Which machine stands behind a node name, as far as it says. Empty text where it does not. */
public record Identity(String providerId, String systemUuid, String machineId) {
  public static final Identity NONE = new Identity("", "", "");
}
