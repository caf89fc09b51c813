package dev.nodekeeper.watch;

import com.fasterxml.jackson.core.JsonParser;
import com.google.protobuf.CodedInputStream;
import dev.nodekeeper.api.Call;
import dev.nodekeeper.core.keep.Input;
import dev.nodekeeper.read.UnreadableObjectException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** What tells nodes from records for a {@link Reflector}. */
public interface Feed<T> {

  /** In the plural: a metric label, and the word in log lines. */
  String resource();

  String path();

  /** Empty for an object that is none of our business. */
  Optional<T> read(JsonParser parser) throws IOException;

  /** The same where nothing follows: the parser may be left wherever enough was read. */
  default Optional<T> readLast(JsonParser parser) throws IOException {
    return read(parser);
  }

  /** The form to ask for. */
  default String accept() {
    return Call.JSON;
  }

  /** In protobuf, up to the end of the message; of who asks for it. */
  default Optional<T> read(CodedInputStream object) throws IOException {
    throw new UnreadableObjectException("one of the " + resource() + " in protobuf");
  }

  /** What the Keeper must know before a list is asked for. */
  List<Input> listStarts();

  /** To collect a list in. */
  List<T> emptyList();

  /** A page of a list, in the memory of what the Keeper knows of it already. */
  List<T> familiar(List<T> page);

  Input listed(List<T> items, long rv);

  Input event(Change change, T item);

  Input progress(long rv);

  /** The resourceVersion of an item. */
  long rv(T item);

  /** What a watch says about an object. */
  enum Change {
    ADDED,
    MODIFIED,
    DELETED
  }
}
