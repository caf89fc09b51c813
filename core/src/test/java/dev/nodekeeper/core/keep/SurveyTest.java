package dev.nodekeeper.core.keep;

import static dev.nodekeeper.core.Given.node;
import static dev.nodekeeper.core.Given.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.nodekeeper.core.keep.Survey.Query;
import dev.nodekeeper.core.keep.Survey.Row;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.State;
import dev.nodekeeper.core.model.Stored;
import dev.nodekeeper.core.model.Stored.Defect;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.core.model.Stored.Unreadable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A page of the fleet, made while somebody looks and kept by nobody")
class SurveyTest {

  private static Query query(String text, String from, boolean backwards, int limit) {
    return new Query(text, Set.of(), from, backwards, limit);
  }

  private static Driver fleet(int size) {
    List<NodeState> nodes = new ArrayList<>();
    for (int i = size - 1; i >= 0; i--) {
      nodes.add(node("u" + i).name("n" + i).rv(6).label("rack", "r" + i % 2).state());
    }
    return Driver.started(6, nodes, List.of());
  }

  private static List<String> names(Survey survey) {
    return survey.rows().stream().map(Row::node).toList();
  }

  @Test
  @DisplayName("pages follow each other in the order of names, forwards and backwards")
  void pages() {
    Driver k = fleet(7);
    Survey first = k.survey(query("", "", false, 3));
    assertThat(names(first)).containsExactly("n0", "n1", "n2");
    assertThat(first.more()).isTrue();
    assertThat(first.matching()).isEqualTo(7);
    assertThat(names(k.survey(query("", "n2", false, 3)))).containsExactly("n3", "n4", "n5");
    Survey last = k.survey(query("", "n5", false, 3));
    assertThat(names(last)).containsExactly("n6");
    assertThat(last.more()).isFalse();
    Survey before = k.survey(query("", "n6", true, 3));
    assertThat(names(before)).containsExactly("n3", "n4", "n5");
    assertThat(before.more()).isTrue();
    Survey start = k.survey(query("", "n3", true, 3));
    assertThat(names(start)).containsExactly("n0", "n1", "n2");
    assertThat(start.more()).isFalse();
  }

  @Test
  @DisplayName("found by a part of the name, by a label, or by the state")
  void found() {
    Driver k = fleet(12);
    assertThat(names(k.survey(query("N1", "", false, 9)))).containsExactly("n1", "n10", "n11");
    assertThat(names(k.survey(query("rack=r1", "", false, 9))))
        .containsExactly("n1", "n11", "n3", "n5", "n7", "n9");
    assertThat(k.survey(query("rack=", "", false, 9)).matching()).isZero();
    assertThat(k.survey(new Query("", Set.of(State.AWAY), "", false, 9)).matching()).isZero();
    assertThat(k.survey(new Query("", Set.of(State.PENDING_CAPTURE), "", false, 9)).matching())
        .isEqualTo(12);
  }

  @Test
  @DisplayName("every state is told from the others, and the numbers count all")
  void states() {
    List<NodeState> nodes =
        List.of(
            node("u1").name("same").rv(6).label("team", "a").state(),
            node("u9").name("back").rv(6).state(),
            node("u2").name("new").rv(6).label("team", "a").taint("t", "v").cordon().state(),
            node("u3").name("bare").rv(6).state(),
            node("u4").name("torn").rv(6).label("team", "a").state(),
            node("u5").name("dying").rv(6).label("team", "a").terminating().state());
    List<Stored> records =
        List.of(
            record().name("same").gen(1).uid("u1").rv(5).at(5).label("team", "a").build(),
            record().name("back").gen(1).uid("u1").rv(5).at(5).label("team", "a").build(),
            record().name("gone").gen(1).uid("u8").rv(5).at(5).label("team", "a").build(),
            new Unreadable("torn", new Origin("cm", 5, ""), Defect.BROKEN, "bad JSON"));
    Survey survey = Driver.started(6, nodes, records).survey(query("", "", false, 9));
    assertThat(survey.rows())
        .extracting(Row::node, Row::state)
        .containsExactly(
            tuple("back", State.PENDING_RESTORE),
            tuple("bare", State.CURRENT),
            tuple("dying", State.PENDING_CAPTURE),
            tuple("gone", State.AWAY),
            tuple("new", State.PENDING_CAPTURE),
            tuple("same", State.CURRENT),
            tuple("torn", State.REFUSED));
    assertThat(survey.states()).containsEntry(State.AWAY, 1).containsEntry(State.CURRENT, 2);
    assertThat(survey.rows().get(3))
        .isEqualTo(new Row("gone", State.AWAY, 1, 0, 0, /* cordoned= */ false));
    assertThat(survey.rows().get(4).taints()).isEqualTo(1);
  }

  @Test
  @DisplayName("a page of nothing has numbers only")
  void numbers() {
    Survey survey = fleet(5).survey(Query.NUMBERS);
    assertThat(survey.rows()).isEmpty();
    assertThat(survey.states()).isEqualTo(Map.of(State.PENDING_CAPTURE, 5));
  }
}
