package dev.nodekeeper.testbed;

/**
 * One control plane for all tests of a JVM, started by the first that asks and closed at exit.
 * Tests keep apart by node names and namespaces of their own, and never stop a part of it.
 */
public final class SharedControlPlane {

  private SharedControlPlane() {}

  private static final class Holder {
    static final ControlPlane PLANE = ControlPlane.start(Options.defaults());
  }

  public static ControlPlane get() {
    return Holder.PLANE;
  }
}
