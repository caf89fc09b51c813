---- MODULE MC ----
(* Values for configurations: TLC's .cfg files know only names and plain sets. *)
EXTENDS Nodekeeper
StartsBare == {None}
\* A kubelet that may register with a label (or a taint) of its own.
StartsBoth == {None, [k \in Keys |-> IF k = CHOOSE x \in Keys : TRUE THEN 90 ELSE 0]}

\* Histories: the order in which people and kubelets act.
AEGA     == Follows(<<"A", "E", "G", "A">>)
AEEG     == Follows(<<"A", "E", "E", "G">>)
AEEGA    == Follows(<<"A", "E", "E", "G", "A">>)
AEGAE    == Follows(<<"A", "E", "G", "A", "E">>)
AEGAEG   == Follows(<<"A", "E", "G", "A", "E", "G">>)
AEGAEE   == Follows(<<"A", "E", "G", "A", "E", "E">>)
AEEGAEG  == Follows(<<"A", "E", "E", "G", "A", "E", "G">>)
AEEGAEE  == Follows(<<"A", "E", "E", "G", "A", "E", "E">>)
AEEGAE   == Follows(<<"A", "E", "E", "G", "A", "E">>)
HAHG     == Follows(<<"H", "A", "H", "G">>)
AEGAEGAE == Follows(<<"A", "E", "G", "A", "E", "G", "A", "E">>)
AEGAS    == Follows(<<"A", "E", "G", "A", "S">>)
AEGASE   == Follows(<<"A", "E", "G", "A", "S", "E">>)
AEGAE_HE == Follows(<<"A", "E", "G", "H", "A", "E">>)
AEGFAEGA == Follows(<<"A", "E", "G", "F", "A", "E", "G", "A">>)
AEGFAE   == Follows(<<"A", "E", "G", "F", "A", "E">>)

\* The replica whose watch is cut is ahead: the others look when it has taken up what it saw.
CutAhead == \A a \in Reps \ CutReps : rep[a].pos > 0 => \E b \in CutReps : rep[b].r.uid = uidc
\* Those that capture have seen a registration and an edit, and no more before the first restore;
\* those that only restore look when all has happened. Every key was set in the first life.
Behind == /\ edits = 2 => \A k \in Keys : last[k] # 0
          /\ node.np = 0 => \A a \in CapReps : rep[a].pos <= 2
          /\ \A b \in ResReps \ CapReps : rep[b].pos > 0 => uidc = MaxUid /\ edits = MaxEdits
Prompt(a) == Cardinality(NodesAfter(rep[a].pos) \cup RecsAfter(rep[a].rpos)) <= 1
Attentive == \A a \in CapReps : Prompt(a)
OthersAttentive == \A a \in Reps \ CutReps : Prompt(a)
\* The replica whose watches are cut has seen the first life and its record, then nothing for long.
Away == /\ OthersAttentive
        /\ \A b \in CutReps : (rep[b].pos > 4 \/ rep[b].rpos > 3) => edits = MaxEdits /\ rec.id # 0
\* The replica whose node watch is cut has a record watch that lags behind the second version.
Lagging == /\ \A b \in CutReps : rep[b].r.g <= 1 /\ (rep[b].pos > 2 => edits = MaxEdits)
           /\ OthersAttentive
====
