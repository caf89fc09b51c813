package dev.nodekeeper.echo;

import java.util.Map;

/**
 * What the kubelet does to an argument before it starts a container, as Kubernetes documents it:
 * {@code $$} is {@code $}, {@code $(NAME)} is the variable if there is one, all else stays.
 */
final class Kubelet {
  /** The variables that exist in every pod of ours, to be sure that one would be replaced. */
  private static final Map<String, String> VARIABLES = Map.of("HOME", "/replaced", "X", "replaced");

  private Kubelet() {}

  static String expand(String argument) {
    var out = new StringBuilder();
    int at = 0;
    while (at < argument.length()) {
      int dollar = argument.indexOf('$', at);
      if (dollar < 0 || dollar + 1 == argument.length()) {
        return out.append(argument, at, argument.length()).toString();
      }
      out.append(argument, at, dollar);
      int close = argument.indexOf(')', dollar);
      switch (argument.charAt(dollar + 1)) {
        case '$' -> {
          out.append('$');
          at = dollar + 2;
        }
        case '(' -> {
          int end = close < 0 ? dollar + 2 : close + 1;
          var whole = argument.substring(dollar, end);
          var name = close < 0 ? "" : argument.substring(dollar + 2, close);
          out.append(VARIABLES.getOrDefault(name, whole));
          at = end;
        }
        default -> {
          out.append('$');
          at = dollar + 1;
        }
      }
    }
    return out.toString();
  }
}
