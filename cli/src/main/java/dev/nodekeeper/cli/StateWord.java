package dev.nodekeeper.cli;

import dev.nodekeeper.core.model.State;
import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A state by its word. */
final class StateWord implements ITypeConverter<State> {
  @Override
  public State convert(String text) {
    return Arrays.stream(State.values())
        .filter(state -> state.word().equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "'%s' is no state; there are %s"
                        .formatted(
                            text,
                            Arrays.stream(State.values())
                                .map(State::word)
                                .collect(Collectors.joining(", ")))));
  }
}
