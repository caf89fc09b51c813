package dev.nodekeeper.echo;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/** Some text, to be served over HTTP. {@code deploy/base/crd.yaml} is generated from this class. */
@Group("test.com")
@Version("v1")
@Kind("Echo")
@Plural("echoes")
@AdditionalPrinterColumn(
    name = "Age",
    jsonPath = ".metadata.creationTimestamp",
    type = AdditionalPrinterColumn.Type.DATE)
@ValidationRule(
    value = "self.metadata.name.matches('^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$')",
    message =
        "the name of an Echo becomes the name of a Service: at most 63 lower-case letters, digits"
            + " and dashes, a letter first, no dash last")
public final class Echo extends CustomResource<EchoSpec, EchoStatus> implements Namespaced {

  /**
   * Required, and not only for people: the framework adds our finalizer by server-side apply, which
   * creates what is not there. Without a spec the API server refuses such a ghost of an Echo that
   * was deleted in that moment.
   */
  @Override
  @Required
  public EchoSpec getSpec() {
    return super.getSpec();
  }
}
