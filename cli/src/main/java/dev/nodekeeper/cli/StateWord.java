package dev.nodekeeper.cli;

import dev.nodekeeper.core.model.State;
import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A state as it stands in JSON. */
final class StateWord implements ITypeConverter<State> {
  @Override
  public State convert(String text) {
    return Arrays.stream(State.values())
        .filter(state -> state.id().equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "'%s' is no state; there are %s"
                        .formatted(
                            text,
                            Arrays.stream(State.values())
                                .map(State::id)
                                .collect(Collectors.joining(", ")))));
  }
}
