package dev.nodekeeper;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.nodekeeper");

  @Test
  @DisplayName("arrows point down only")
  void arrows() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("wiring")
        .definedBy("dev.nodekeeper")
        .layer("http")
        .definedBy("dev.nodekeeper.http")
        .layer("console")
        .definedBy("dev.nodekeeper.console")
        .layer("look")
        .definedBy("dev.nodekeeper.look")
        .layer("loop")
        .definedBy("dev.nodekeeper.loop")
        .layer("effect")
        .definedBy("dev.nodekeeper.effect")
        .layer("watch")
        .definedBy("dev.nodekeeper.watch")
        .layer("store")
        .definedBy("dev.nodekeeper.store")
        .layer("share")
        .definedBy("dev.nodekeeper.share")
        .layer("telemetry")
        .definedBy("dev.nodekeeper.telemetry")
        .layer("read")
        .definedBy("dev.nodekeeper.read")
        .layer("api")
        .definedBy("dev.nodekeeper.api")
        .layer("config")
        .definedBy("dev.nodekeeper.config")
        .layer("pace")
        .definedBy("dev.nodekeeper.pace")
        .layer("core")
        .definedBy("dev.nodekeeper.core..")
        .whereLayer("wiring")
        .mayOnlyAccessLayers(
            "http",
            "console",
            "look",
            "loop",
            "effect",
            "watch",
            "store",
            "share",
            "telemetry",
            "read",
            "api",
            "config",
            "pace",
            "core")
        .whereLayer("http")
        .mayNotAccessAnyLayer()
        .whereLayer("console")
        .mayOnlyAccessLayers("look", "api", "config", "pace", "core")
        .whereLayer("look")
        .mayOnlyAccessLayers("read", "api", "config", "core")
        .whereLayer("loop")
        .mayOnlyAccessLayers("telemetry", "pace", "core")
        .whereLayer("effect")
        .mayOnlyAccessLayers("store", "telemetry", "read", "api", "pace", "core")
        .whereLayer("watch")
        .mayOnlyAccessLayers("telemetry", "read", "api", "pace", "core")
        .whereLayer("store")
        .mayOnlyAccessLayers("read", "api", "pace", "core")
        .whereLayer("share")
        .mayOnlyAccessLayers("read", "api", "core")
        .whereLayer("telemetry")
        .mayOnlyAccessLayers("api", "config", "pace", "core")
        .whereLayer("read")
        .mayOnlyAccessLayers("core")
        .whereLayer("api")
        .mayOnlyAccessLayers("read", "config")
        .whereLayer("config")
        .mayOnlyAccessLayers("core")
        .whereLayer("pace")
        .mayNotAccessAnyLayer()
        .whereLayer("core")
        .mayNotAccessAnyLayer()
        .because("a newcomer reads from the wiring down and never has to come back up")
        .check(CLASSES);
  }

  @Test
  @DisplayName("no cycles between packages")
  void cycles() {
    slices().matching("dev.nodekeeper.(*)..").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  @DisplayName("fabric8 and the HTTP client are known to one package")
  void wire() {
    ArchRuleDefinition.noClasses()
        .that()
        .resideOutsideOfPackages("dev.nodekeeper.api", "dev.nodekeeper.testbed..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.fabric8..", "java.net.http..")
        .because("leaving either must be the change of one package")
        .check(CLASSES);
  }
}
