package dev.nodekeeper.api;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** Which build this is. */
public final class Build {
  public static final String VERSION = version();
  public static final String USER_AGENT = "nodekeeper/" + VERSION;

  private Build() {}

  private static String version() {
    Properties properties = new Properties();
    try (InputStream in = Build.class.getResourceAsStream("build.properties")) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read build.properties", e);
    }
    return properties.getProperty("version", "unknown");
  }
}
