package dev.nodekeeper.core.keep;

import static dev.nodekeeper.core.Given.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.core.Given;
import dev.nodekeeper.core.codec.PackedRecord;
import dev.nodekeeper.core.codec.PackedRecords;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Stored;
import dev.nodekeeper.core.model.Stored.Origin;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What is listed again")
class FamiliarTest {
  private final NodeRecord record = Driver.teamA();
  private final NodeState known = node("u1").rv(7).label("team", "a").state();
  private final Driver driver = Driver.started(9, List.of(known), List.of(record));

  @Test
  @DisplayName("takes no memory where the node is as it was")
  void sameNode() {
    NodeState again = node("u1").rv(7).label("team", "a").state();

    NodeState first = listed(again);

    assertThat(first).isEqualTo(again).isNotSameAs(again);
    assertThat(listed(node("u1").rv(7).label("team", "a").state())).isSameAs(first);
  }

  @Test
  @DisplayName("takes little after a heartbeat, and is as it was listed")
  void heartbeat() {
    NodeState later = node("u1").rv(8).label("team", "a").state();

    assertThat(listed(later)).isEqualTo(later);
    assertThat(listed(later).content()).isSameAs(listed(known).content());
  }

  @Test
  @DisplayName("is as it was listed when it changed, returned, went, or is new")
  void others() {
    NodeState changed = node("u1").rv(8).label("team", "b").state();
    NodeState returned = node("u2").rv(8).state();
    NodeState unknown = node("u3").name("other").rv(8).label("team", "a").state();

    assertThat(driver.familiar().nodes(List.of(changed, unknown)))
        .containsExactly(changed, unknown);
    assertThat(listed(returned)).isEqualTo(returned);

    driver.deleted(node("u1").rv(10).label("team", "a"));

    assertThat(listed(returned)).isEqualTo(returned);
  }

  @Test
  @DisplayName("takes no memory where the record is as it was; what changed is as it was listed")
  void records() {
    NodeRecord edited = record.storedAs(new Origin("cm", 8, ""));
    NodeRecord unknown = Given.record().name("other").gen(1).uid("u3").rv(4).at(5).build();
    Stored noRecord =
        new Stored.Unreadable("x", Origin.NONE, Stored.Defect.BROKEN, "is not ours to read");

    assertThat(driver.familiar().records(List.of(record, edited, unknown, noRecord)))
        .containsExactly(record, edited, unknown, noRecord);

    assertThat(packed(record)).isSameAs(packed(record));
    assertThat(packed(edited)).isNotSameAs(packed(edited));
  }

  @Test
  @DisplayName("leads to no request, and changes nothing")
  void nothing() {
    driver.on(new Input.NodeListStarted());
    driver.on(new Input.NodesListed(driver.familiar().nodes(List.of(known)), 11));
    driver.on(new Input.RecordsListed(driver.familiar().records(List.of(record)), 11)).quiet();

    assertThat(listed(known)).isEqualTo(known);
  }

  private NodeState listed(NodeState node) {
    return driver.familiar().nodes(List.of(node)).getFirst();
  }

  private PackedRecord packed(NodeRecord listed) {
    List<PackedRecord> packed = new ArrayList<>();
    PackedRecords.of(driver.familiar().records(List.of(listed)))
        .each((_, one) -> packed.add(one), _ -> {});
    return packed.getFirst();
  }
}
