package dev.nodekeeper.cli.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LauncherIT {
  @TempDir private Path dir;
  private Checkout checkout;

  @BeforeEach
  void checkOut() throws Exception {
    checkout = new Checkout(dir);
  }

  private static String java(Path home) {
    return "java:" + home.resolve("bin/java");
  }

  @Test
  @DisplayName("a JDK in the usual places is found, a 25 before anything newer or older")
  void found() throws Exception {
    checkout.jdk("17.0.15");
    checkout.jdk("26.0.1");
    Path wanted = checkout.jdk("25.0.3");
    assertThat(checkout.run("list").out()).contains(java(wanted));
    assertThat(Files.readString(checkout.root().resolve("cli/target/build.log")))
        .contains("JAVA_HOME=" + wanted);
  }

  @Test
  @DisplayName("JAVA_HOME is taken when it is new enough, and not when it is too old")
  void javaHome() throws Exception {
    Path place = checkout.jdk("25");
    Path newer = Checkout.jdk(dir.resolve("my jdk"), "27-ea");
    Path older = Checkout.jdk(dir.resolve("old"), "21.0.1");
    Path launcher = checkout.root().resolve("nodekeeper");
    assertThat(checkout.run(Map.of("JAVA_HOME", newer.toString()), launcher).out())
        .contains(java(newer));
    assertThat(checkout.run(Map.of("JAVA_HOME", older.toString()), launcher).out())
        .contains(java(place));
  }

  @Test
  @DisplayName("the java on the PATH is followed through its links")
  void onThePath() throws Exception {
    Path home = Checkout.jdk(dir.resolve("elsewhere"), "25.0.1");
    Files.createSymbolicLink(dir.resolve("alternative"), home.resolve("bin/java"));
    Files.createSymbolicLink(dir.resolve("tools/java"), dir.resolve("alternative"));
    assertThat(checkout.run("list").out()).contains(java(home.toRealPath()));
  }

  @Test
  @DisplayName("where there is none it says what it saw and what to install, and builds nothing")
  void none() throws Exception {
    Path old = checkout.jdk("17.0.15");
    Path jre = checkout.jdk("25.0.3");
    Files.delete(jre.resolve("bin/javac"));
    Ran ran = checkout.run("list");
    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err())
        .contains("no JDK 25", old + ": JDK 17", jre + ": Java 25 without javac", "Install one");
    assertThat(checkout.builds()).isZero();
  }

  @Test
  @DisplayName("it builds once, and again only after a source was changed, added or removed")
  void rebuild() throws Exception {
    checkout.jdk("25");
    checkout.run("list");
    checkout.run("list");
    assertThat(checkout.builds()).isEqualTo(1);

    checkout.age();
    Files.writeString(checkout.source(), "class A { int x; }");
    checkout.run("list");
    checkout.run("list");
    assertThat(checkout.builds()).isEqualTo(2);

    checkout.age();
    Files.delete(checkout.source());
    checkout.run("list");
    checkout.run("list");
    assertThat(checkout.builds()).isEqualTo(3);

    checkout.age();
    Files.writeString(checkout.root().resolve("cli/pom.xml"), "new");
    checkout.run(Map.of("NODEKEEPER_BUILD", "never"), checkout.root().resolve("nodekeeper"));
    assertThat(checkout.builds()).isEqualTo(3);
    checkout.run("list");
    assertThat(checkout.builds()).isEqualTo(4);
  }

  @Test
  @DisplayName("a failed build shows why, starts nothing, and is tried again")
  void broken() throws Exception {
    checkout.jdk("25");
    Path broken = Files.createFile(checkout.root().resolve("broken"));
    Ran ran = checkout.run("list");
    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).contains("A.java: cannot find symbol", "the build failed");

    Files.delete(broken);
    Ran mended = checkout.run("list");
    assertThat(mended.out()).contains("arg:list");
    assertThat(mended.err()).doesNotContain("JAVA_HOME=");
  }

  @Test
  @DisplayName("two at once build once; a lock of a dead one is no obstacle")
  void lock() throws Exception {
    checkout.jdk("25");
    Files.createFile(checkout.root().resolve("slow"));
    Path dead = Files.createDirectories(checkout.root().resolve("cli/target/build.lock"));
    Process ended = new ProcessBuilder("true").start();
    ended.waitFor();
    Files.writeString(dead.resolve("pid"), ended.pid() + "\n");

    Process first = checkout.start(Files.createDirectory(dir.resolve("first")));
    Process second = checkout.start(Files.createDirectory(dir.resolve("second")));
    assertThat(first.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(second.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(first.exitValue() + second.exitValue())
        .as(
            "%s%s",
            Files.readString(dir.resolve("first/err")), Files.readString(dir.resolve("second/err")))
        .isZero();
    assertThat(checkout.builds()).isEqualTo(1);
    assertThat(checkout.root().resolve("cli/target/build.lock")).doesNotExist();
  }

  @Test
  @DisplayName("it works through a link, under the link's name, and passes arguments as they are")
  void plugin() throws Exception {
    checkout.jdk("25");
    Path link = dir.resolve("kubectl-nodekeeper");
    Files.createSymbolicLink(link, Path.of("a checkout/nodekeeper"));
    assertThat(checkout.run(Map.of(), link, "show", "a b", "*", "").out())
        .contains("arg:-Dnodekeeper.name=kubectl nodekeeper")
        .endsWith("arg:dev.nodekeeper.cli.Main\narg:show\narg:a b\narg:*\narg:\n");
  }

  @Test
  @DisplayName("short commands start fast, the controller gets the whole compiler")
  void flags() throws Exception {
    checkout.jdk("25");
    assertThat(checkout.run("list").out())
        .contains("arg:-XX:TieredStopAtLevel=1")
        .doesNotContain("jvm.options");
    assertThat(
            checkout
                .run(
                    Map.of("NODEKEEPER_JAVA_OPTS", "-Xmx1g -Xss1m"),
                    checkout.root().resolve("nodekeeper"),
                    "run")
                .out())
        .containsSubsequence(
            "arg:@" + checkout.root() + "/cli/target/app/jvm.options", "arg:-Xmx1g", "arg:-Xss1m")
        .doesNotContain("TieredStopAtLevel");
  }

  @Test
  @DisplayName("the controller starts with the AOT cache of its jars, not with that of older ones")
  void cache() throws Exception {
    checkout.jdk("25");
    checkout.run("list");
    Path app = checkout.root().resolve("cli/target/app");
    Files.writeString(app.resolve("jvm.options"), "");
    Path cache = Files.writeString(app.resolve("nodekeeper.aot"), "trained");
    assertThat(checkout.run("run").out()).contains("arg:-XX:AOTCache=" + cache);
    assertThat(checkout.run("list").out()).doesNotContain("AOTCache");
    Files.setLastModifiedTime(cache, FileTime.fromMillis(0));
    assertThat(checkout.run("run").out()).doesNotContain("AOTCache");
  }

  @Test
  @DisplayName("a JVM takes the options of the controller, and what is said beside them wins")
  void optionsOfRun() throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Path options = Ran.repository().resolve("operator/src/main/dist/jvm.options");
    Process process =
        new ProcessBuilder(java, "@" + options, "-Xmx300m", "-XX:+PrintFlagsFinal", "-version")
            .redirectErrorStream(true)
            .start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(printed).isZero();
    assertThat(printed)
        .containsPattern("MaxHeapSize += " + 300 * 1024 * 1024 + " ")
        .containsPattern("UseSerialGC += true ")
        .containsPattern("ExitOnOutOfMemoryError += true ");
  }
}
