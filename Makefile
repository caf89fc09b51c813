# The contributor's index: `make help`.
SHELL := /bin/sh
.DEFAULT_GOAL := help

# Looked for once, and only by targets that use it; the message of a failed look names the fix.
find_jdk = JAVA_HOME=$$(hack/find-jdk.sh) && export JAVA_HOME
MVN = $(find_jdk) && ./mvnw -B -ntp

NODE ?= worker-1
BUDGET ?= 10m
NODES ?= 5000
MUTANTS ?= decide keep codec model
SEED ?= 1
FAMILY ?= ALL

.PHONY: help up down restart-worker test test-unit test-long sim mutate bench docs format deps clean

help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

up: ## A local control plane with three machines and nodekeeper, and the story played on it
	@./nodekeeper up

down: ## End everything that `make up` started
	@./nodekeeper down

restart-worker: ## Delete a machine's Node and let it return (NODE=worker-1)
	@./nodekeeper restart $(NODE)

test: deps ## Everything: unit and integration tests, simulation, model, a sample of the mutants, format
	@$(MVN) verify
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

bench: deps ## A fleet that is deleted and returns (NODES=5000); figures into bench/results/
	@mkdir -p bench/results
	@$(MVN) -q verify -pl operator -am -Dspotless.check.skip=true \
	  -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false \
	  -Dit.test=FleetIT -Dfailsafe.failIfNoSpecifiedTests=false -Dfleet.nodes=$(NODES) \
	  -Dbench.out=$(CURDIR)/bench/results/$$(date -u +%Y-%m-%dT%H%M%SZ).json

docs: ## Write docs/reference/ from the code
	@$(MVN) -q test -pl operator -am -Dtest=ReferenceTest -Dsurefire.failIfNoSpecifiedTests=false \
	  -Ddocs.update=true

format: ## Format all sources
	@$(MVN) -q spotless:apply

deps: ## See that what the tests need is installed; as root on Debian, install it
	@hack/deps.sh

clean: ## Remove what was built
	@$(MVN) -q clean
