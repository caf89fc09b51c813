package dev.nodekeeper.watch;

import static dev.nodekeeper.watch.Written.enveloped;
import static dev.nodekeeper.watch.Written.fields;
import static dev.nodekeeper.watch.Written.message;
import static dev.nodekeeper.watch.Written.number;
import static dev.nodekeeper.watch.Written.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nodekeeper.api.Failure;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.policy.Policy;
import dev.nodekeeper.read.NodeReader;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An event of a watch in protobuf")
final class WatchEventTest {
  private static final NodeFeed NODES = new NodeFeed(new NodeReader(Policy.DEFAULT));

  @Test
  @DisplayName("a node: what matters of it, in whatever surroundings")
  void node() throws Exception {
    byte[] metadata =
        fields(
            text(1, "n1"),
            text(3, ""),
            text(5, "u1"),
            text(6, "42"),
            message(11, text(1, "team"), text(2, "vision")),
            message(17, text(1, "kubelet"), text(2, "Update")));
    byte[] node = fields(message(1, metadata), message(2, number(4, 0)), message(3, text(99, "?")));

    assertThat(read("MODIFIED", node))
        .isInstanceOfSatisfying(
            WatchEvent.Changed.class,
            changed -> {
              assertThat(changed.change()).isEqualTo(Feed.Change.MODIFIED);
              assertThat(changed.item().orElseThrow())
                  .isInstanceOfSatisfying(
                      NodeState.class,
                      state -> {
                        assertThat(state.name()).isEqualTo("n1");
                        assertThat(state.rv()).isEqualTo(42);
                        assertThat(state.content()).hasToString("{label:team=vision}");
                      });
            });
  }

  @Test
  @DisplayName("a bookmark has a revision and nothing else")
  void bookmark() throws Exception {
    assertThat(read("BOOKMARK", message(1, text(6, "77"))))
        .isEqualTo(new WatchEvent.Bookmark<>(77));
    assertThatThrownBy(() -> read("BOOKMARK", message(1, text(6, "soon"))))
        .hasMessage("a bookmark with resourceVersion 'soon'");
  }

  @Test
  @DisplayName("a failure has its own code")
  void failure() throws Exception {
    byte[] status = fields(text(3, "too old"), text(4, "Expired"), number(6, 410));

    assertThat(read("ERROR", status))
        .isEqualTo(new WatchEvent.Failed<>(new Failure(410, "Expired", "too old", "", List.of())));
  }

  @Test
  @DisplayName("what is none of these, or half of one, cannot be read")
  void unreadable() throws Exception {
    byte[] whole = event("ADDED", message(1, text(1, "n1"), text(5, "u1"), text(6, "42")));
    assertThat(WatchEvent.read(whole, NODES)).isInstanceOf(WatchEvent.Changed.class);
    for (int length = 0; length < whole.length; length++) {
      byte[] half = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> WatchEvent.read(half, NODES)).isInstanceOf(IOException.class);
    }
    assertThatThrownBy(() -> read("REMOVED", message(1, text(1, "n1"))))
        .hasMessage("a watch event of type REMOVED");
    assertThatThrownBy(
            () -> WatchEvent.read(fields(text(1, "ADDED"), message(2, text(1, "?!!?"))), NODES))
        .hasMessage("neither JSON nor protobuf of the API server");
    assertThatThrownBy(() -> read("ADDED", message(1, text(1, "n1"))))
        .hasMessage("node 'n1' has uid '' and resourceVersion ''");
  }

  private static WatchEvent<NodeState> read(String type, byte[] object) throws IOException {
    return WatchEvent.read(event(type, object), NODES);
  }

  private static byte[] event(String type, byte[] object) throws IOException {
    return fields(text(1, type), message(2, message(1, enveloped(object))));
  }
}
