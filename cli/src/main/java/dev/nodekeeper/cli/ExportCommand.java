package dev.nodekeeper.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.api.HttpApi;
import dev.nodekeeper.api.NoClusterException;
import dev.nodekeeper.cli.records.RecordStore;
import dev.nodekeeper.config.Settings;
import dev.nodekeeper.core.codec.RecordCodec;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.look.Cluster;
import dev.nodekeeper.look.Snapshot;
import dev.nodekeeper.read.RecordReader;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Records as a file. */
@Command(
    name = "export",
    sortOptions = false,
    abbreviateSynopsis = true,
    description = {
      "Write records as YAML: a backup, or for another cluster. `import` reads it, and so does"
          + " kubectl apply.",
      "",
      "Without our bookkeeping: a record that is imported is bound to no machine, and given back to"
          + " whoever registers under its name."
    },
    optionListHeading = "%nOptions:%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  ${COMMAND-FULL-NAME} >records.yaml",
      "  ${COMMAND-FULL-NAME} gpu-17 gpu-18",
      "  ${COMMAND-FULL-NAME} --selector pool=gpu -o json"
    })
final class ExportCommand extends ClusterCommand {
  @Mixin private Selection selection;

  /** A file has no columns. */
  enum Form {
    YAML,
    JSON;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORM",
      description = "How to write it: ${COMPLETION-CANDIDATES}.")
  private Form form = Form.YAML;

  @Parameters(paramLabel = "NODE", arity = "0..*", description = "Only these nodes.")
  private List<String> nodes = List.of();

  @SuppressWarnings("NullAway.Init") // picocli sets them before it calls us
  ExportCommand(Screen screen, Map<String, String> env) {
    super(screen, env);
  }

  @Override
  public Integer call() throws IOException, NoClusterException {
    Settings settings = settings(SettingFlags.CLUSTER);
    List<String> names = nodes.stream().map(NodeName::checked).toList();
    var selector = selection.selector();
    try (HttpApi api = HttpApi.connect(settings.cluster())) {
      Snapshot snapshot = new Cluster(api, settings).snapshot(selector);
      for (String name : names) {
        if (snapshot.record(name).isEmpty()) {
          throw ProblemException.noRecord(name);
        }
      }
      ObjectNode list = JsonNodeFactory.instance.objectNode();
      list.put("apiVersion", "v1").put("kind", "List");
      var items = list.putArray("items");
      int unreadable = 0;
      for (var stored : snapshot.records()) {
        if (!names.isEmpty() && !names.contains(stored.node())) {
          continue;
        }
        if (stored instanceof NodeRecord record) {
          items.add(configMap(record));
        } else {
          unreadable++;
          screen.note("nodekeeper: the record of node %s cannot be read".formatted(stored.node()));
        }
      }
      screen.text(form == Form.YAML ? Yaml.write(list) : list.toPrettyString() + "\n");
      return unreadable == 0 ? ExitCode.OK : ExitCode.ATTENTION;
    }
  }

  /** Without a namespace: it goes where it is imported to. */
  private static ObjectNode configMap(NodeRecord record) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("apiVersion", "v1").put("kind", "ConfigMap");
    ObjectNode metadata = json.putObject("metadata").put("name", record.node());
    metadata.putObject("labels").put(RecordReader.LABEL, RecordReader.LABEL_VALUE);
    if (record.origin().exempt()) {
      metadata.putObject("annotations").put(RecordReader.KEEP, "true");
    }
    json.putObject("data").put(RecordCodec.RECORD, RecordStore.readable(record));
    return json;
  }
}
