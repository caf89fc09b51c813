package dev.nodekeeper.testbed.binaries;

import java.util.Locale;

/** Operating system and processor, in the words of Go. */
record Platform(String os, String arch) {

  static Platform current() {
    return of(System.getProperty("os.name"), System.getProperty("os.arch"));
  }

  static Platform of(String osName, String osArch) {
    var os = osName.toLowerCase(Locale.ROOT).startsWith("mac") ? "darwin" : "linux";
    var arch =
        switch (osArch.toLowerCase(Locale.ROOT)) {
          case "amd64", "x86_64" -> "amd64";
          case "aarch64", "arm64" -> "arm64";
          default -> osArch.toLowerCase(Locale.ROOT);
        };
    return new Platform(os, arch);
  }

  @Override
  public String toString() {
    return os + "-" + arch;
  }
}
