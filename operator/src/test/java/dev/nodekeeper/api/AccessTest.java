package dev.nodekeeper.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nodekeeper.config.Settings.ClusterSettings;
import io.fabric8.kubernetes.client.Config;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccessTest {
  private static final String KUBECONFIG =
      """
      apiVersion: v1
      kind: Config
      current-context: one
      clusters:
      - {name: a, cluster: {server: "https://a.example:6443/"}}
      - {name: b, cluster: {server: "https://b.example:6443"}}
      users:
      - {name: by-file, user: {tokenFile: token}}
      - {name: by-token, user: {token: abc}}
      - {name: by-plugin, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: cat,
          args: [PLUGIN]}}}
      contexts:
      - {name: one, context: {cluster: a, user: by-token}}
      - {name: two, context: {cluster: b, user: by-file}}
      - {name: three, context: {cluster: b, user: by-plugin}}
      """;

  @TempDir Path dir;

  @Test
  @DisplayName("the current context, or the one that is asked for")
  void contexts() throws Exception {
    assertThat(session("").server()).hasToString("https://a.example:6443");
    assertThat(session("").authorization()).isEqualTo("Bearer abc");
    assertThat(session("two").server()).hasToString("https://b.example:6443");
  }

  @Test
  @DisplayName("a token file is read anew each time, without its line end")
  void tokenFile() throws Exception {
    assertThat(session("two").authorization()).isEqualTo("Bearer from-file");
    Files.writeString(dir.resolve("token"), "rotated\n");
    assertThat(session("two").authorization()).isEqualTo("Bearer rotated");
  }

  @Test
  @DisplayName("an exec plugin gives the token")
  void plugin() throws Exception {
    assertThat(session("three").authorization()).isEqualTo("Bearer from-plugin");
  }

  @Test
  @DisplayName("an unknown context is an error, never another cluster")
  void unknownContext() {
    assertThatThrownBy(() -> session("prod"))
        .isInstanceOf(NoClusterException.class)
        .hasMessageContaining("no context 'prod'")
        .hasMessageContaining("one");
  }

  @Test
  @DisplayName("a file that is not there, or no kubeconfig at all, is named")
  void badFile() throws Exception {
    Path junk = Files.writeString(dir.resolve("junk"), "{{{{");

    assertThatThrownBy(() -> new Access(new ClusterSettings("/no/such", "")).load())
        .isInstanceOf(NoClusterException.class)
        .hasMessageContaining("/no/such");
    assertThatThrownBy(() -> new Access(new ClusterSettings(junk.toString(), "")).load())
        .isInstanceOf(NoClusterException.class)
        .hasMessageContaining("junk");
  }

  private Session session(String context) throws Exception {
    Path credential = dir.resolve("credential.json");
    Files.writeString(
        credential,
        """
        {"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential",
         "status":{"token":"from-plugin"}}""");
    if (!Files.exists(dir.resolve("token"))) {
      Files.writeString(dir.resolve("token"), "from-file\n");
    }
    Path file = dir.resolve("kubeconfig");
    Files.writeString(file, KUBECONFIG.replace("PLUGIN", credential.toString()));
    Config config = new Access(new ClusterSettings(file.toString(), context)).load();
    return Session.open(config, Runnable::run);
  }
}
