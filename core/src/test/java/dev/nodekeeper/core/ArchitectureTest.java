package dev.nodekeeper.core;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.UUID;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@NullMarked
@DisplayName("The core")
class ArchitectureTest {
  private static final String CORE = "dev.nodekeeper.core";

  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(CORE);

  @Test
  @DisplayName("has arrows that point down only: keep, decide, codec, policy, model")
  void layers() {
    layeredArchitecture()
        .consideringOnlyDependenciesInAnyPackage(CORE + "..")
        .layer("keep")
        .definedBy(CORE + ".keep..")
        .layer("decide")
        .definedBy(CORE + ".decide..")
        .layer("codec")
        .definedBy(CORE + ".codec..")
        .layer("policy")
        .definedBy(CORE + ".policy..")
        .layer("model")
        .definedBy(CORE + ".model..")
        .whereLayer("keep")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("decide")
        .mayOnlyBeAccessedByLayers("keep")
        .whereLayer("codec")
        .mayOnlyBeAccessedByLayers("keep", "decide")
        .whereLayer("policy")
        .mayOnlyBeAccessedByLayers("keep", "decide", "codec")
        .because("who reads a package need not know those above it")
        .check(MAIN);
  }

  @Test
  @DisplayName("knows no client, log, network or thread: it decides, the shell talks")
  void pure() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "java.util.concurrent..",
            "java.net..",
            "java.nio.file..",
            "java.nio.channels..",
            "java.util.logging..",
            "org.slf4j..",
            "io.fabric8..",
            "io.micrometer..")
        .check(MAIN);
    noClasses().should().dependOnClassesThat().areAssignableTo(Thread.class).check(MAIN);
  }

  @Test
  @DisplayName("has no clock, no dice and no environment: they come in with each input")
  void deterministic() {
    noClasses()
        .should()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "getenv")
        .orShould()
        .callMethod(System.class, "getenv", String.class)
        .orShould()
        .callMethod(System.class, "getProperty", String.class)
        .orShould()
        .callMethod(java.time.Instant.class, "now")
        .orShould()
        .callMethod(UUID.class, "randomUUID")
        .orShould()
        .callMethod(Math.class, "random")
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.time.Clock")
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.util.Random")
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.security.SecureRandom")
        .orShould()
        .dependOnClassesThat()
        .resideInAPackage("java.util.random..")
        .check(MAIN);
  }

  @Test
  @DisplayName("reads no stream, except the lists that lie beside the policy")
  void streams() {
    noClasses()
        .that()
        .resideOutsideOfPackage(CORE + ".policy..")
        .should()
        .dependOnClassesThat(
            resideInAPackage("java.io..")
                .and(
                    not(
                        belongToAnyOf(
                            IOException.class, // of a parser that reads a text
                            UncheckedIOException.class,
                            Serializable.class))))
        .check(MAIN);
    noClasses()
        .that()
        .resideInAPackage(CORE + ".policy..")
        .should()
        .dependOnClassesThat(
            resideInAPackage("java.io..")
                .and(
                    not(
                        belongToAnyOf(
                            UncheckedIOException.class, IOException.class, InputStream.class))))
        .check(MAIN);
  }

  @Test
  @DisplayName("knows JSON in one package only")
  void jackson() {
    classes()
        .that()
        .resideOutsideOfPackage(CORE + ".codec..")
        .should()
        .onlyDependOnClassesThat(not(resideInAPackage("com.fasterxml..")))
        .check(MAIN);
  }
}
