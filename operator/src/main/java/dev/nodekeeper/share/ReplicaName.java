package dev.nodekeeper.share;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * What a replica calls itself in a lease: the host for people, and random bits, because a process
 * that starts again under the same host name must not take its predecessor's leases for its own.
 */
public final class ReplicaName {
  private static final int HOST_MAX = 63;
  private static final int RANDOM_BYTES = 8;

  private ReplicaName() {}

  public static String unique() {
    byte[] random = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(random);
    String host = host();
    return host.substring(0, Math.min(HOST_MAX, host.length()))
        + "_"
        + HexFormat.of().formatHex(random);
  }

  /** In a pod the variable is the pod's name. */
  private static String host() {
    String variable = System.getenv("HOSTNAME");
    if (variable != null && !variable.isBlank()) {
      return variable.strip();
    }
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown-host";
    }
  }
}
