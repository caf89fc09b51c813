package dev.nodekeeper.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.nodekeeper.api.HttpApi;
import dev.nodekeeper.api.NoClusterException;
import dev.nodekeeper.cli.look.Table;
import dev.nodekeeper.cli.records.Format;
import dev.nodekeeper.cli.records.Found;
import dev.nodekeeper.cli.records.Hashes;
import dev.nodekeeper.cli.records.Import;
import dev.nodekeeper.cli.records.Import.Mode;
import dev.nodekeeper.cli.records.Import.Outcome;
import dev.nodekeeper.cli.records.Import.Replace;
import dev.nodekeeper.cli.records.Import.Result;
import dev.nodekeeper.cli.records.RecordFile;
import dev.nodekeeper.cli.records.RecordStore;
import dev.nodekeeper.config.Settings;
import dev.nodekeeper.core.model.Stored;
import dev.nodekeeper.look.Cluster;
import dev.nodekeeper.look.Printable;
import dev.nodekeeper.look.Selector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Files into records. */
@Command(
    name = "import",
    sortOptions = false,
    abbreviateSynopsis = true,
    description = {
      "Take over records from files: our own, and those of label-preserver, kube-state-rs and Node"
          + " Label Operator, as kubectl get -o yaml writes them.",
      "",
      "A record that is there already stays, unless --replace says otherwise; every write names the"
          + " version that was looked at. What is taken over counts as a person's edit: a node that"
          + " is there gets at once what it lacks.",
      "label-preserver names records by a hash of the node's name. It is matched with the nodes and"
          + " records there are and with --names; the rest is told.",
      "Ends with 4 where something was not taken over."
    },
    optionListHeading = "%nOptions:%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  ${COMMAND-FULL-NAME} records.yaml --dry-run",
      "  kubectl get configmaps -n node-metadata -o yaml | ${COMMAND-FULL-NAME} -",
      "  ${COMMAND-FULL-NAME} old.yaml --from kube-state-rs-early --replace older"
    })
final class ImportCommand extends ClusterCommand {
  @Mixin private Output output;

  @Parameters(paramLabel = "FILE", arity = "1..*", description = "Files; - is standard input.")
  private List<String> files;

  @Option(
      names = "--from",
      paramLabel = "FORMAT",
      description =
          "What every object in them is; else found out. One of ${COMPLETION-CANDIDATES}.")
  private @Nullable Format from;

  @Option(
      names = "--names",
      paramLabel = "FILE",
      description = "Names of nodes, one per line, to match hashes with.")
  private @Nullable Path names;

  @Option(
      names = "--replace",
      paramLabel = "WHICH",
      description = "Which records that are there to replace: ${COMPLETION-CANDIDATES}.")
  private Replace replace = Replace.NONE;

  @Option(names = "--dry-run", description = "Only say what would be done.")
  private boolean dryRun;

  @SuppressWarnings("NullAway.Init") // picocli sets them before it calls us
  ImportCommand(Screen screen, Map<String, String> env) {
    super(screen, env);
  }

  @Override
  public Integer call() throws IOException, NoClusterException {
    Settings settings = settings(SettingFlags.LOOKING);
    List<RecordFile> read =
        files.stream()
            .map(
                file ->
                    RecordFile.read(file, System.in, Optional.ofNullable(from), settings.policy()))
            .toList();
    Set<String> given = given();
    try (HttpApi api = HttpApi.connect(settings.cluster())) {
      Cluster cluster = new Cluster(api, settings);
      RecordStore store = new RecordStore(api, settings.namespace());
      if (!dryRun && store.makeNamespace()) {
        screen.note("Created namespace " + settings.namespace());
      }
      Map<String, Stored> present = new TreeMap<>();
      cluster
          .snapshot(Selector.ALL)
          .records()
          .forEach(stored -> present.put(stored.node(), stored));
      Set<String> known = new TreeSet<>(given);
      known.addAll(present.keySet());
      known.addAll(cluster.names());
      Mode mode = dryRun ? Mode.DRY_RUN : Mode.WRITE;
      List<Result> results =
          put(read, new Hashes(known), new Import(store, present, replace, mode));
      output.print(screen, () -> table(results), () -> json(results), () -> names(results));
      List<String> unusable = read.stream().flatMap(file -> file.unusable().stream()).toList();
      unusable.forEach(text -> screen.note("nodekeeper: " + Printable.line(text)));
      return unusable.isEmpty() && results.stream().allMatch(one -> one.outcome().settled())
          ? ExitCode.OK
          : ExitCode.ATTENTION;
    }
  }

  /** Two words on one node would depend on who is faster: the first counts, the other is told. */
  private List<Result> put(List<RecordFile> read, Hashes hashes, Import into) throws IOException {
    Map<String, Found> byName = new TreeMap<>();
    List<Result> results = new ArrayList<>();
    for (RecordFile file : read) {
      for (Found found : file.found()) {
        Optional<String> name =
            found.hashed() ? hashes.name(found.node()) : Optional.of(found.node());
        if (name.isEmpty()) {
          results.add(Import.unnamed(found));
        } else if (byName.putIfAbsent(name.get(), found.named(name.get())) != null) {
          results.add(Import.twice(found.named(name.get())));
        }
      }
    }
    Progress progress = new Progress(screen, "Importing", byName.size());
    results.addAll(0, AtOnce.each(byName.values(), into::one, progress::step));
    return results;
  }

  private Set<String> given() {
    if (names == null) {
      return Set.of();
    }
    try {
      Set<String> lines = new TreeSet<>();
      Files.readAllLines(names).stream()
          .map(String::strip)
          .filter(line -> !line.isEmpty())
          .map(NodeName::plain)
          .forEach(lines::add);
      return lines;
    } catch (IOException e) {
      throw ProblemException.failed("--names: cannot read the file " + names);
    }
  }

  private List<String> table(List<Result> results) {
    Table table = new Table().row("NODE", dryRun ? "WOULD BE" : "RESULT", "KEYS", "");
    for (Result result : results) {
      String word = result.outcome().word();
      table.row(
          result.node(),
          result.outcome().settled() ? screen.good(word) : screen.odd(word),
          Integer.toString(result.keys()),
          Printable.line(result.detail()));
      if (output.form() == OutputForm.WIDE) {
        result.left().forEach(left -> table.row("", "", "", "left out: " + Printable.line(left)));
      }
    }
    List<String> lines = new ArrayList<>(table.lines());
    long left = results.stream().mapToLong(result -> result.left().size()).sum();
    if (left > 0 && output.form() != OutputForm.WIDE) {
      lines.add(left + " labels were left out on purpose; -o wide tells which and why");
    }
    return lines;
  }

  private static ArrayNode json(List<Result> results) {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    for (Result result : results) {
      var one = list.addObject().put("node", result.node()).put("outcome", result.outcome().word());
      one.put("keys", result.keys()).put("detail", result.detail());
      ArrayNode left = one.putArray("leftOut");
      result.left().forEach(left::add);
    }
    return list;
  }

  private static List<String> names(List<Result> results) {
    return results.stream()
        .filter(
            result -> result.outcome() == Outcome.CREATED || result.outcome() == Outcome.REPLACED)
        .map(result -> "node/" + result.node())
        .toList();
  }
}
