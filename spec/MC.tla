---- MODULE MC ----
(* Values for configurations: TLC's .cfg files know only names and plain sets. *)
EXTENDS Nodekeeper
StartsBare == {None}
\* A kubelet that may register with a label (or a taint) of its own.
StartsBoth == {None, [k \in Keys |-> IF k = CHOOSE x \in Keys : TRUE THEN 90 ELSE 0]}

\* Histories: the order in which people and kubelets act.
AEEG     == Follows(<<"A", "E", "E", "G">>)
AEEGA    == Follows(<<"A", "E", "E", "G", "A">>)
AEGAE    == Follows(<<"A", "E", "G", "A", "E">>)
AEGAEG   == Follows(<<"A", "E", "G", "A", "E", "G">>)
AEGAEE   == Follows(<<"A", "E", "G", "A", "E", "E">>)
AEEGAEG  == Follows(<<"A", "E", "E", "G", "A", "E", "G">>)
AEEGAEE  == Follows(<<"A", "E", "E", "G", "A", "E", "E">>)
AEGAEGAE == Follows(<<"A", "E", "G", "A", "E", "G", "A", "E">>)
AEGASE   == Follows(<<"A", "E", "G", "A", "S", "E">>)
AEGAE_HE == Follows(<<"A", "E", "G", "H", "A", "E">>)
AEGFAE   == Follows(<<"A", "E", "G", "F", "A", "E", "G">>)
====
