package dev.nodekeeper.sim;

import dev.nodekeeper.core.keep.Effect;
import dev.nodekeeper.core.keep.Input;
import dev.nodekeeper.core.model.NodeState;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.NullMarked;

/** An API server, simulated or real, as a script uses it. People only touch what is there. */
@NullMarked
interface Side {

  /**
   * A kubelet registers.
   *
   * @param held with somebody's finalizer, so that its deletion takes two steps
   */
  NodeState create(String name, boolean held, Consumer<NodeJson> as);

  /** Gives the node as it is afterwards. */
  NodeState change(String name, Consumer<NodeJson> how);

  void delete(String name);

  /** Deletes a held node: it is terminating now, or still is. */
  NodeState terminate(String name);

  /** The finalizer of a terminating node is removed. */
  void release(String name);

  /** A person writes it, whatever is there. */
  void writeRecord(String name, Map<String, String> data);

  void deleteRecord(String name);

  /** A request of ours, answered as the Keeper gets it. */
  Input perform(Effect.Request request);

  /** Of this node and this record, and the revision of that list. */
  Listed list(String name);

  record Listed(List<?> nodes, List<?> records, long rv) {}

  /** What watches have shown of this node and of its record; all that there is up to now. */
  List<Input> watched(String name);

  /** What a watch of nodes from that revision on shows of this one. */
  List<Input> nodesSince(String name, long rv);
}
