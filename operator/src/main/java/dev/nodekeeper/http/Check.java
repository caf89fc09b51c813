package dev.nodekeeper.http;

import java.util.Optional;

/** One thing that can be wrong; empty while it is not. */
@FunctionalInterface
public interface Check {
  Optional<String> problem();
}
