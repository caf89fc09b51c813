package dev.nodekeeper.testbed;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** The local ports of one control plane; and free ones for others. */
public record Ports(
    int etcdClient, int etcdPeer, int apiServer, int controllerManager, int scheduler) {

  /**
   * Below the range the kernel hands to outgoing connections: a part that is down for a moment must
   * get its own port back.
   */
  private static final int LOWEST = 20_000;

  private static final int BEYOND = 30_000;

  /** For one process that is told its port. */
  public static int one() {
    return free(1)[0];
  }

  /** This one, or another where it is taken. */
  public static int preferring(int port) {
    return isFree(port) ? port : one();
  }

  static Ports free() {
    var ports = free(5);
    return new Ports(ports[0], ports[1], ports[2], ports[3], ports[4]);
  }

  static int[] free(int count) {
    return IntStream.generate(() -> ThreadLocalRandom.current().nextInt(LOWEST, BEYOND))
        .distinct()
        .filter(Ports::isFree)
        .limit(count)
        .toArray();
  }

  private static boolean isFree(int port) {
    try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  boolean allFree() {
    return IntStream.of(etcdClient, etcdPeer, apiServer, controllerManager, scheduler)
        .allMatch(Ports::isFree);
  }

  int of(Part part) {
    return switch (part) {
      case ETCD -> etcdClient;
      case APISERVER -> apiServer;
      case CONTROLLER_MANAGER -> controllerManager;
      case SCHEDULER -> scheduler;
    };
  }
}
