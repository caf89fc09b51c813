package dev.nodekeeper.sim;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.core.keep.Effect;
import dev.nodekeeper.core.keep.Input;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.NullMarked;

/** The API server that the histories of the simulator run on. */
@NullMarked
final class SimulatedSide implements Side {
  private final Policy policy;
  private final ApiServer server;

  SimulatedSide(Policy policy) {
    this.policy = policy;
    this.server =
        new ApiServer(
            policy,
            new ApiServer.Audit() {
              @Override
              public void sent(Replica.Pending request) {}

              @Override
              public void patched(Effect.PatchNode patch, ObjectNode before, ObjectNode after) {}
            });
  }

  @Override
  public NodeState create(String name, boolean held, Consumer<NodeJson> as) {
    return server.create(name, as);
  }

  @Override
  public NodeState change(String name, Consumer<NodeJson> how) {
    server.change(name, how);
    return NodeJson.state(Objects.requireNonNull(server.node(name)), policy);
  }

  @Override
  public void delete(String name) {
    server.delete(name);
  }

  @Override
  public NodeState terminate(String name) {
    return change(name, NodeJson::terminating);
  }

  @Override
  public void release(String name) {
    server.delete(name);
  }

  @Override
  public void writeRecord(String name, Map<String, String> data) {
    server.writeRecord(name, data);
  }

  @Override
  public void deleteRecord(String name) {
    server.deleteRecord(name);
  }

  @Override
  public Input perform(Effect.Request request) {
    return server.perform(request);
  }

  @Override
  public Listed list(String name) {
    return new Listed(server.listNodes(), server.listRecords(), server.rv());
  }

  @Override
  public List<Input> watched(String name) {
    List<Input> all = new ArrayList<>();
    server.nodeLog.forEach(event -> all.add(event.input()));
    server.recordLog.forEach(event -> all.add(event.input()));
    return all;
  }

  @Override
  public List<Input> nodesSince(String name, long rv) {
    return server.nodeLog.stream().filter(e -> e.rv() > rv).map(ApiServer.Event::input).toList();
  }
}
