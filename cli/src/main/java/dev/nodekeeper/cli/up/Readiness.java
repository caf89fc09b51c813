package dev.nodekeeper.cli.up;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;

/** Asks the controller on this computer whether it is ready. */
record Readiness(int port) {
  private static final int MILLIS = 2_000;

  boolean ready() {
    try {
      var url = URI.create("http://127.0.0.1:" + port + "/readyz").toURL();
      var connection = (HttpURLConnection) url.openConnection();
      connection.setConnectTimeout(MILLIS);
      connection.setReadTimeout(MILLIS);
      return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
    } catch (IOException e) {
      return false;
    }
  }
}
