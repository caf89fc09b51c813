# The contributor's index: `make help`.
SHELL := /bin/sh
.DEFAULT_GOAL := help

# Looked for once, and only by targets that use it; the message of a failed look names the fix.
find_jdk = JAVA_HOME=$$(hack/find-jdk.sh) && export JAVA_HOME
MVN = $(find_jdk) && ./mvnw -B -ntp

bench_build = $(MVN) -q -Dspotless.check.skip=true -Dmaven.test.skip=true -pl bench -am package
bench_java = $(find_jdk) && exec "$$JAVA_HOME/bin/java"
bench_path = bench/target/classes:$$(cat bench/target/classpath)

# Overlays do not nest everywhere; copies do.
storage = export STORAGE_DRIVER=$${STORAGE_DRIVER-vfs};
IMAGE ?= nodekeeper:latest
NODE ?= worker-1
FULL ?=
CLUSTER ?=
BUDGET ?= 10m
N ?= 10000
PHASES ?=
DURATION ?= 0
JVM ?=
MEMORY ?= 0
PROFILE ?=
MUTANTS ?= decide keep codec model
SEED ?= 1
FAMILY ?= ALL

.PHONY: help up down restart-worker up-echo test test-unit test-long sim mutate bench jmh image image-test deb deb-test docs format deps clean

help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

up: ## A local control plane with three machines and nodekeeper, and the story played on it (FULL=1: and a workload, and Prometheus; CLUSTER=kind: in Docker)
	@$(if $(filter kind,$(CLUSTER)),hack/kind.sh up,./nodekeeper up $(if $(FULL),--full))

down: ## End everything that `make up` started (CLUSTER=kind: that one)
	@$(if $(filter kind,$(CLUSTER)),hack/kind.sh down,./nodekeeper down)

restart-worker: ## Delete a machine's Node and let it return (NODE=worker-1)
	@./nodekeeper restart $(NODE)

up-echo: ## The teaching operator of echo/ on a whole local cluster (Ctrl-C ends it)
	@$(MVN) -q -Dspotless.check.skip=true -DskipTests -pl echo -am package
	@$(find_jdk) && cd echo && exec "$$JAVA_HOME/bin/java" --enable-native-access=ALL-UNNAMED \
	  --sun-misc-unsafe-memory-access=allow -cp "target/test-classes:target/classes:$$(cat target/classpath)" \
	  dev.nodekeeper.echo.Demo

test: deps ## Everything: unit and integration tests, simulation, model, a sample of the mutants, format
	@$(MVN) -T 2 verify
	@$(MAKE) --no-print-directory mutate MUTANTS=codec

test-unit: ## Only the fast tests
	@$(MVN) -q test

test-long: deps ## Searches that take as long as you give them (BUDGET=10m): tests tagged `long`
	@$(MVN) verify -Dgroups=long -DexcludedGroups=none -Dnodekeeper.budget=$(BUDGET) \
	  -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false
	@$(MAKE) mutate

sim: ## Play one simulated history and tell it as a story (SEED=1 FAMILY=ALL); a failing one is shrunk
	@$(MVN) -q -Dspotless.check.skip=true -DskipTests -pl sim -am package
	@$(find_jdk) && "$$JAVA_HOME/bin/java" -cp "sim/target/classes:core/target/classes:$$(cat sim/target/classpath)" \
	  dev.nodekeeper.sim.Simulate $(SEED) $(FAMILY)

mutate: ## Plant faults in the core one by one: its tests must notice 90 % (MUTANTS="decide keep codec model")
	@$(MVN) -q test-compile -pl core -Pmutate $(MUTANTS:%=org.pitest:pitest-maven:mutationCoverage@%)

bench: deps ## Cost and speed on N nodes (N=10000, N=1000,10000,100000 for growth, PHASES=storm,edits DURATION=60 MEMORY=384 JVM=-Xmx256m PROFILE=1)
	@$(bench_build)
	@NODEKEEPER_BUILD=never hack/train.sh cli/target/app
	@$(bench_java) -Xmx3g -cp "$(bench_path)" dev.nodekeeper.bench.Bench --nodes=$(N) --seed=$(SEED) \
	  --duration=$(DURATION) --jvm="$(JVM)" --memory=$(MEMORY) $(PHASES:%=--phases=%) $(if $(PROFILE),--profile)

jmh: ## What single steps cost: codec, parser, compare, decide, merge; and the memory of a node
	@$(bench_build)
	@$(bench_java) -cp "$(bench_path)" org.openjdk.jmh.Main -f 1 -wi 3 -w 1 -i 5 -r 1 -prof gc \
	  -jvmArgsAppend -XX:+UseCompactObjectHeaders -rf text -rff bench/results/$$(date -u +%Y-%m-%dT%H%M%SZ)-jmh.txt
	@$(bench_java) @operator/src/main/dist/jvm.options -cp "$(bench_path)" dev.nodekeeper.bench.micro.Heap

image: ## The container image (IMAGE=nodekeeper:latest, BASE=...); buildah or docker
	@WITH=image hack/deps.sh
	@$(storage) IMAGE=$(IMAGE) hack/image.sh

image_test = $(storage) $(MVN) verify -am -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false \
  -Dfailsafe.failIfNoSpecifiedTests=false -Dspotless.check.skip=true -Dnodekeeper.image=$(IMAGE)

image-test: ## Run the image with podman as a cluster does: start-up time, memory, and the suites of behaviour
	@WITH=image hack/deps.sh
	@$(image_test) -pl cli -Dit.test=ImageIT -Dgroups=image -DexcludedGroups=none
	@$(image_test) -pl operator -Dit.test=ReturnIT,RecordIT,StormIT,RequestsIT

deb: ## The Debian package with its own Java runtime: target/nodekeeper_*.deb
	@WITH=deb hack/deps.sh
	@hack/deb.sh

deb-test: ## Install, upgrade, run, remove and purge the package in a chroot; look at its unit (root)
	@WITH=deb hack/deps.sh
	@hack/deb-test.sh

docs: ## Write docs/reference/ from the code, and the copies of alerts and dashboard under deploy/
	@$(MVN) -q test -pl operator -am -Dtest=ReferenceTest -Dsurefire.failIfNoSpecifiedTests=false \
	  -Ddocs.update=true

format: ## Format all sources
	@$(MVN) -q spotless:apply

deps: ## See that what the tests need is installed; as root on Debian, install it
	@hack/deps.sh

clean: ## Remove what was built
	@$(MVN) -q clean
