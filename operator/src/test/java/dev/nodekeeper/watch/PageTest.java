package dev.nodekeeper.watch;

import static dev.nodekeeper.watch.Written.enveloped;
import static dev.nodekeeper.watch.Written.fields;
import static dev.nodekeeper.watch.Written.message;
import static dev.nodekeeper.watch.Written.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.policy.Policy;
import dev.nodekeeper.read.NodeReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A page of a list in protobuf")
final class PageTest {
  private static final NodeFeed NODES = new NodeFeed(new NodeReader(Policy.DEFAULT));

  private final List<NodeState> items = new ArrayList<>();
  private final List<String> next = new ArrayList<>();

  @Test
  @DisplayName("has its items, its revision, and where the next one is")
  void whole() throws Exception {
    assertThat(read(list("more", node("a"), node("b")))).isEqualTo(77);

    assertThat(items).extracting(NodeState::name).containsExactly("a", "b");
    assertThat(next).containsExactly("more");
    read(list("", node("a")));
    assertThat(next).hasSize(1);
  }

  @Test
  @DisplayName("half a page is none, wherever it was cut")
  void half() throws Exception {
    byte[] whole = list("", node("a"), node("b"));
    int end = whole.length - text(3, "").length;
    for (int length = 0; length < end; length++) {
      byte[] half = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> read(half)).as("%d bytes", length).isInstanceOf(IOException.class);
    }
    items.clear();
    read(Arrays.copyOf(whole, end));
    assertThat(items).hasSize(2);
  }

  private long read(byte[] bytes) throws IOException {
    return Page.read(new ByteArrayInputStream(bytes), NODES, items, next::add);
  }

  private static byte[] list(String token, byte[]... nodes) throws IOException {
    return enveloped(fields(message(1, text(2, "77"), text(3, token)), fields(nodes)));
  }

  private static byte[] node(String name) throws IOException {
    return message(2, message(1, text(1, name), text(5, "u-" + name), text(6, "42")));
  }
}
