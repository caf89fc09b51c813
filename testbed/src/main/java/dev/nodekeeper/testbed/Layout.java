package dev.nodekeeper.testbed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;

/** The files of one control plane. */
record Layout(Path root) {

  private static final String PREFIX = "nodekeeper-control-plane-";

  static Layout temporary() {
    try {
      return new Layout(Files.createTempDirectory(PREFIX)).prepare();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Layout in(Path folder) {
    return new Layout(folder.toAbsolutePath().normalize()).prepare();
  }

  private Layout prepare() {
    try {
      var ownerOnly = PosixFilePermissions.fromString("rwx------");
      for (var folder : new Path[] {root, pki(), kubeconfigs(), logs()}) {
        Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(ownerOnly));
      }
      Files.writeString(auditPolicy(), PartCommands.AUDIT_POLICY);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot use " + root, e);
    }
  }

  Path pki() {
    return root.resolve("pki");
  }

  Path kubeconfigs() {
    return root.resolve("kubeconfig");
  }

  Path kubeconfig(String user) {
    return kubeconfigs().resolve(user.replaceAll("[^A-Za-z0-9._-]", "_") + ".yaml");
  }

  Path logs() {
    return root.resolve("logs");
  }

  Path log(String name) {
    return logs().resolve(name + ".log");
  }

  Path etcdData() {
    return root.resolve("etcd");
  }

  Path auditPolicy() {
    return root.resolve("audit-policy.yaml");
  }

  Path auditLog() {
    return logs().resolve("audit.jsonl");
  }

  Path state() {
    return root.resolve("control-plane.json");
  }

  void delete() {
    try (var below = Files.walk(root)) {
      for (var path : below.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove " + root, e);
    }
  }
}
