----------------------------- MODULE Nodekeeper -----------------------------
(***************************************************************************)
(* The protocol for ONE node name: people and kubelets act on the Node and *)
(* on its record; replicas see both through watches that lag on their own, *)
(* decide as core/decide does, and write under preconditions.              *)
(*                                                                         *)
(* One log holds every event; its index is the resourceVersion ("rv"), of  *)
(* nodes and records alike, as in etcd. spec/README.md maps the names here *)
(* to Java classes and says what is left out.                              *)
(*                                                                         *)
(* Off is the set of rules that are switched off: each of them must lead   *)
(* to a counterexample (configs/off-*.cfg).                                *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS
  Keys,       \* labels and taints that people set
  Reps,       \* replicas
  CapReps,    \* those that write the record
  ResReps,    \* those that patch the node
  LossyReps,  \* those that may crash and start again with an empty memory
  CutReps,    \* those whose node watch may be cut: a list that skips events
  MaxEdits, MaxUid, MaxRv, MaxStrip,
  Starts,     \* contents that a kubelet may register with
  Withheld,   \* keys that no restore may write (identity in doubt)
  HandKeys,   \* keys that people write into the record of a living node (and never onto the node)
  VBound,     \* older versions kept in a record
  Features,   \* what else the world does, see below
  Off         \* rules that are switched off

On(rule) == rule \notin Off
\* "hand"    people edit the record of an absent node
\* "forget"  people delete it
\* "clean"   empty records are deleted by us
\* "lost"    the reply to a committed record write may be lost
\* "read"    after a lost race the record is read live, past the watch
\* "replay"  a kubelet registers with a marker of an earlier life
\* "forge"   a kubelet registers with a made-up marker of a high generation
\* "tested"  restores as JSON patches that test only what they write (after a conflict)
\* "record"  on-conflict: record
Has(feature) == feature \in Features

VARIABLES
  node,   \* the Node in the API server; uid 0: absent
  rec,    \* the record there; id 0: absent
  log,    \* all events so far
  rep,    \* the memory of each replica
  edits, uidc, strips,
  \* Ghosts: what people wanted, and what they may not expect.
  last,   \* people's last word for each key
  mine,   \* keys that people changed in this life
  lossy,  \* replicas that missed something
  limit,  \* keys for which a known limit applies (design 4)
  forgot, \* rv of the last `forget`
  broke   \* names of the rules that were broken on the way

vars == <<node, rec, log, rep, edits, uidc, strips, last, mine, lossy, limit, forgot, broke>>
ghosts == <<last, mine, lossy, limit, forgot, broke>>

------------------------------------------------------------------------------
(* Values *)

None    == [k \in Keys |-> 0]
NoMark  == [g |-> 0, n |-> 0, u |-> 0]
\* np (a ghost): how often it was restored.
NoNode  == [uid |-> 0, rv |-> 0, c |-> None, m |-> NoMark, w |-> {}, np |-> 0]
NoLives == [u \in 1..MaxUid |-> 0]
NoRec   == [id |-> 0, g |-> 0, uid |-> 0, rv |-> 0, c |-> None, wc |-> None, vs |-> <<>>,
            lives |-> NoLives, ks |-> None, wh |-> {}, o |-> 0]
\* An epoch: the marker that opened it (NoMark: none), its withheld list, touched keys with their rv.
NoEpoch == [m |-> NoMark, w |-> {}, t |-> None]
NoKn    == [reg |-> FALSE, base |-> None, first |-> None, proven |-> NoEpoch, fresh |-> NoEpoch]
NoRep   == [pos |-> 0, rpos |-> 0, v |-> NoNode, kn |-> NoKn, tombs |-> <<>>, r |-> NoRec,
            forg |-> 0, void |-> 0, lives |-> FALSE, reads |-> {}]

RV == Len(log) + 1
Room == Len(log) < MaxRv
Max(x, y) == IF x > y THEN x ELSE y
MinOf(S) == CHOOSE x \in S : \A y \in S : x <= y
Without(q, i) == SubSeq(q, 1, i - 1) \o SubSeq(q, i + 1, Len(q))

NodeEvent(t, n) == [k |-> "node", t |-> t, n |-> n, r |-> NoRec]
RecEvent(t, r)  == [k |-> "rec", t |-> t, n |-> NoNode, r |-> r]
Emit(e) == log' = Append(log, e)

NodesAfter(p) == {i \in (p + 1)..Len(log) : log[i].k = "node"}
RecsAfter(p)  == {i \in (p + 1)..Len(log) : log[i].k = "rec"}
LastOf(kind)  == LET S == {i \in 1..Len(log) : log[i].k = kind} IN
                 IF S = {} THEN 0 ELSE CHOOSE x \in S : \A y \in S : x >= y
\* How far a watch has come: bookmarks are prompt, so it is just below the next event it will show.
NodeHorizon(s) == LET S == NodesAfter(s.pos) IN IF S = {} THEN Len(log) ELSE MinOf(S) - 1
RecHorizon(s)  == LET S == RecsAfter(s.rpos) IN IF S = {} THEN Len(log) ELSE MinOf(S) - 1

Init ==
  /\ node = NoNode /\ rec = NoRec /\ log = <<>> /\ rep = [a \in Reps |-> NoRep]
  /\ edits = 0 /\ uidc = 0 /\ strips = 0
  /\ last = None /\ mine = {} /\ lossy = {} /\ limit = {} /\ forgot = 0 /\ broke = {}

------------------------------------------------------------------------------
(* People and kubelets *)

Marks == {NoMark}
         \cup (IF Has("replay") THEN {log[i].n.m : i \in NodesAfter(0)} ELSE {})
         \cup (IF Has("forge") THEN {[g |-> 9, n |-> 0, u |-> uidc + 1]} ELSE {})

Register ==
  /\ Room /\ node.uid = 0 /\ uidc < MaxUid
  /\ \E s \in Starts, m \in Marks :
       LET n == [NoNode EXCEPT !.uid = uidc + 1, !.rv = RV, !.c = s, !.m = m] IN
       node' = n /\ Emit(NodeEvent("A", n))
  /\ uidc' = uidc + 1 /\ mine' = {}
  /\ UNCHANGED <<rec, rep, edits, strips, last, lossy, limit, forgot, broke>>

Edit ==
  /\ Room /\ node.uid # 0 /\ edits < MaxEdits
  /\ \E k \in Keys \ HandKeys : \E x \in {0, edits + 1} :
       /\ node.c[k] # x
       /\ LET n == [node EXCEPT !.c[k] = x, !.rv = RV] IN node' = n /\ Emit(NodeEvent("E", n))
       /\ last' = [last EXCEPT ![k] = x] /\ mine' = mine \cup {k}
  /\ edits' = edits + 1
  /\ UNCHANGED <<rec, rep, uidc, strips, lossy, limit, forgot, broke>>

Strip ==
  /\ Room /\ node.m # NoMark /\ strips < MaxStrip
  /\ LET n == [node EXCEPT !.m = NoMark, !.w = {}, !.rv = RV] IN
     node' = n /\ Emit(NodeEvent("S", n))
  /\ strips' = strips + 1 /\ UNCHANGED <<rec, rep, edits, uidc, ghosts>>

Delete ==
  /\ Room /\ node.uid # 0 /\ node' = NoNode
  /\ Emit(NodeEvent("G", [node EXCEPT !.rv = RV])) /\ mine' = {}
  /\ UNCHANGED <<rec, rep, edits, uidc, strips, last, lossy, limit, forgot, broke>>

HandEdit ==
  /\ Room /\ rec.id # 0 /\ edits < MaxEdits
  /\ \E k \in IF node.uid # 0 THEN HandKeys ELSE IF Has("hand") THEN Keys ELSE {} :
     \E x \in {0, edits + 1} :
       /\ rec.c[k] # x
       /\ LET r == [rec EXCEPT !.c[k] = x, !.o = RV] IN rec' = r /\ Emit(RecEvent("H", r))
       /\ last' = [last EXCEPT ![k] = x] /\ mine' = mine \ {k}
  \* Two edits in one: which of their keys is the newer word is lost.
  /\ limit' = IF rec.c # rec.wc THEN Keys ELSE limit
  /\ edits' = edits + 1 /\ UNCHANGED <<node, rep, uidc, strips, lossy, forgot, broke>>

Forget ==
  /\ Has("forget") /\ Room /\ rec.id # 0 /\ rec.c # None /\ node.uid = 0 /\ edits < MaxEdits
  /\ rec' = NoRec /\ Emit(RecEvent("F", NoRec)) /\ last' = None /\ forgot' = RV
  /\ edits' = edits + 1 /\ UNCHANGED <<node, rep, uidc, strips, mine, lossy, limit, broke>>

------------------------------------------------------------------------------
(* What a replica knows of an incarnation: decide.Knowledge, decide.Epoch *)

History(r) == IF r.id = 0 THEN <<>>
              ELSE <<[id |-> r.id, g |-> r.g, uid |-> r.uid, rv |-> r.rv, c |-> r.wc]>> \o r.vs
NoVersion == [id |-> 0, g |-> 0, uid |-> 0, rv |-> 0, c |-> None]
Newest(H, S) == IF S = {} THEN NoVersion ELSE H[MinOf(S)]

\* The version that a marker is valid for: the nonce n stands for the mac under it.
Check(r, uid, m) ==
  LET H == History(r) IN
  Newest(H, {i \in 1..Len(H) : m.n # 0 /\ H[i].id = m.n /\ (m.u = uid \/ ~On("markUid"))})

Confirm(kn, r, uid) ==
  IF kn.fresh.m = NoMark THEN kn
  ELSE LET version == Check(r, uid, kn.fresh.m) IN
       IF version.id = 0 THEN kn
       ELSE [kn EXCEPT !.proven = IF @.m # NoMark /\ version.g < @.m.g THEN @ ELSE kn.fresh,
                       !.fresh = NoEpoch]

Begin(n, registered) ==
  [NoKn EXCEPT !.reg = registered, !.base = n.c,
               !.fresh = IF n.m = NoMark THEN NoEpoch ELSE [m |-> n.m, w |-> n.w, t |-> None]]

Touch(t, D, at) == [k \in Keys |-> IF k \in D THEN at ELSE t[k]]

See(kn, before, now) ==
  LET D == {k \in Keys : before.c[k] # now.c[k]}
      marked == now.m # NoMark /\ (now.m # before.m \/ now.w # before.w)
      carried == IF ~On("carry") THEN None
                 ELSE Touch(IF kn.proven.m = NoMark THEN kn.first ELSE kn.proven.t, D, 0) IN
  [kn EXCEPT !.first = Touch(@, D, now.rv),
             !.proven = IF @.m = NoMark THEN @ ELSE [@ EXCEPT !.t = Touch(@, D, now.rv)],
             !.fresh = IF marked THEN [m |-> now.m, w |-> now.w, t |-> carried]
                       ELSE IF @.m = NoMark THEN @ ELSE [@ EXCEPT !.t = Touch(@, D, now.rv)]]

SeeWith(r, kn, before, now) ==
  Confirm(See(Confirm(kn, r, before.uid), before, now), r, now.uid)

------------------------------------------------------------------------------
(* The decision table: decide.Decider, Comparison, Merge.                   *)
(* e: the node as seen; del: its last state; live: the record was just read *)

Nop == [op |-> "none", uid |-> 0, rv |-> 0, c |-> None, wh |-> {}, mu |-> 0, mrv |-> 0, mk |-> {}]
Put(uid, rv, c, wh) == [Nop EXCEPT !.op = "put", !.uid = uid, !.rv = rv, !.c = c, !.wh = wh]
Edited(r) == On("hand") /\ r.id # 0 /\ r.c # r.wc

DecideRecord(e, kn0, r, del, live) ==
  LET kn == Confirm(kn0, r, e.uid)
      H == History(r)
      marked == IF kn.proven.m = NoMark THEN NoVersion ELSE Check(r, e.uid, kn.proven.m)
      epoch == IF marked.id = 0 THEN [NoEpoch EXCEPT !.t = kn.first] ELSE kn.proven
      at == IF On("touched") THEN epoch.t ELSE None
      byUid == r.uid = e.uid
      known == byUid \/ (marked.id # 0 /\ (marked.g = r.g \/ ~On("markVersion")))
      base == IF known \/ ~On("base") THEN NoVersion
              ELSE Newest(H, {i \in 1..Len(H) : H[i].uid = e.uid
                                                \/ (marked.id # 0 /\ H[i].id = marked.id)})
      listed == IF ~On("withheld") THEN {}
                ELSE (IF marked.id # 0 THEN epoch.w ELSE {}) \cup (IF byUid THEN r.wh ELSE {})
      held == {k \in listed : e.c[k] = 0 /\ epoch.t[k] = 0}
      recordRv(k) == IF r.ks[k] # 0 THEN r.ks[k] ELSE r.rv
      touched(k) ==
        /\ k \notin held
        /\ IF base.id # 0
           THEN e.c[k] # base.c[k] \/ (at[k] > base.rv /\ at[k] > recordRv(k))
           ELSE \/ at[k] # 0
                \/ IF kn.reg THEN e.c[k] # kn.base[k] ELSE e.c[k] # 0
      \* Known: the node is authoritative.
      captured == [k \in Keys |-> IF k \in held THEN r.c[k] ELSE e.c[k]]
      inPlace == marked.id # 0 /\ epoch.m = e.m
      heldNow == {k \in held : r.c[k] # 0}
      \* Not known and present: the record is, for what nobody touched.
      target == [k \in Keys |->
                  IF k \in Withheld \/ touched(k) THEN e.c[k]
                  ELSE IF base.id = 0 /\ r.c[k] = 0 THEN e.c[k]
                  ELSE IF base.id = 0 /\ e.c[k] # 0 /\ ~Has("record") THEN e.c[k]
                  ELSE r.c[k]]
      leftOut == {k \in Withheld : r.c[k] # 0 /\ e.c[k] = 0 /\ ~touched(k)}
      \* Not known and gone: a tombstone.
      late == e.rv <= r.rv
      mergedBefore == IF On("upTo") THEN r.lives[e.uid] >= e.rv ELSE r.lives[e.uid] # 0
      older == Newest(r.vs, {i \in 1..Len(r.vs) : r.vs[i].rv < e.rv})
      since == {r.c} \cup (IF On("back") THEN {r.vs[i].c : i \in {j \in 1..Len(r.vs) :
                                                \A h \in 1..j : r.vs[h].rv >= e.rv}} ELSE {})
      moved(k) == IF r.ks[k] # 0 THEN r.ks[k] >= e.rv ELSE \E c \in since : c[k] # older.c[k]
      D == {k \in Keys : touched(k) /\ ~(late /\ moved(k))}
      merge == [k \in Keys |-> IF k \in D THEN e.c[k] ELSE r.c[k]]
  IN
  IF Edited(r) THEN Put(0, r.o, r.c, {})
  ELSE IF ~byUid /\ e.m.g > r.g /\ ~live /\ On("future") THEN [Nop EXCEPT !.op = "read"]
  ELSE IF byUid /\ e.rv <= r.rv /\ On("rv") THEN Nop
  ELSE IF known THEN
    IF captured # r.c THEN Put(e.uid, e.rv, captured, heldNow)
    ELSE IF ~del /\ ~byUid /\ ~inPlace /\ On("adopt") THEN Put(e.uid, e.rv, captured, heldNow)
    ELSE Nop
  ELSE IF del THEN
    IF late /\ (~On("late") \/ mergedBefore \/ (base.id # 0 /\ e.rv <= base.rv)) THEN Nop
    ELSE IF merge = r.c THEN Nop
    ELSE [Put(IF late \/ On("nobody") THEN 0 ELSE e.uid, IF late THEN r.rv ELSE e.rv, merge, {})
          EXCEPT !.mu = e.uid, !.mrv = e.rv, !.mk = D]
  ELSE IF r.c = None /\ target = e.c /\ e.c = None THEN Nop
  ELSE [Nop EXCEPT !.op = "patch", !.c = target, !.wh = IF On("withheld") THEN leftOut ELSE {}]

Decide(e, kn, r, del, live) ==
  IF r.id = 0 THEN IF e.c = None THEN Nop ELSE Put(e.uid, e.rv, e.c, {})
  ELSE DecideRecord(e, kn, r, del, live)

\* The next version: NodeRecord.next, Late.after.
NextRec(d, r) ==
  LET H == History(r)
      ks == [k \in Keys |-> IF k \in d.mk THEN d.mrv ELSE IF r.wc[k] # d.c[k] THEN 0 ELSE r.ks[k]] IN
  [id |-> RV, g |-> r.g + 1, uid |-> d.uid, rv |-> d.rv, c |-> d.c, wc |-> d.c, o |-> RV,
   vs |-> SubSeq(H, 1, IF Len(H) < VBound THEN Len(H) ELSE VBound),
   lives |-> IF d.mu = 0 THEN r.lives ELSE [r.lives EXCEPT ![d.mu] = d.mrv],
   ks |-> IF On("younger") THEN ks ELSE None, wh |-> d.wh]

------------------------------------------------------------------------------
(* The memory of a replica: keep.Keeper, keep.Slot *)

\* An empty slot is dropped once the node watch has passed the deletion of the record.
Tidy(s) ==
  LET t == IF s.v.uid = 0 THEN [s EXCEPT !.kn = NoKn, !.lives = FALSE] ELSE s IN
  IF t.v.uid = 0 /\ t.r.id = 0 /\ t.tombs = <<>> /\ t.forg <= NodeHorizon(t)
  THEN [t EXCEPT !.forg = 0, !.void = 0, !.reads = {}] ELSE t

\* asOf: the revision at which it was known to be gone.
Bury(s, e, asOf) ==
  LET same == s.v.uid = e.uid
      kn == IF same THEN SeeWith(s.r, s.kn, s.v, e) ELSE Begin(e, FALSE)
      add == /\ On("tombs") /\ e.rv >= s.void
             /\ same \/ \A i \in 1..Len(s.tombs) : s.tombs[i].e.uid # e.uid
  IN [s EXCEPT !.tombs = IF add THEN Append(@, [e |-> e, kn |-> kn, asOf |-> asOf]) ELSE @,
               !.v = IF same THEN NoNode ELSE @]

Arrive(s, n, registered) ==
  [s EXCEPT !.v = n, !.kn = Begin(n, registered), !.reads = {}, !.lives = FALSE]

\* A state of the node arrives, by watch or list. What another uid left behind is its tombstone.
Show(s, n, registered, asOf) ==
  IF s.v.uid = n.uid THEN [s EXCEPT !.kn = SeeWith(s.r, s.kn, s.v, n), !.v = n]
  ELSE Arrive(IF s.v.uid # 0 THEN Bury(s, s.v, asOf) ELSE s, n, registered)

Learn(s, r) ==
  IF r.o < s.forg \/ (s.r.id # 0 /\ r.o <= s.r.o) THEN s ELSE [s EXCEPT !.r = r]

Forgets(s, at) ==
  LET empty == On("emptyVoid") /\ ~Edited(s.r) /\ s.r.c = None
      below == IF ~On("void") THEN 0 ELSE Max(s.void, IF empty THEN s.r.rv + 1 ELSE at) IN
  [s EXCEPT !.void = below, !.forg = Max(@, at), !.r = NoRec,
            !.tombs = SelectSeq(@, LAMBDA t : t.e.rv >= below)]

Becomes(a, s) == rep' = [rep EXCEPT ![a] = Tidy(s)]
World == <<node, rec, log, edits, uidc, strips>>

SeeNode(a) ==
  LET s == rep[a]  S == NodesAfter(s.pos) IN
  /\ S # {}
  /\ LET i == MinOf(S)  e == log[i]  t == [s EXCEPT !.pos = i] IN
     Becomes(a, IF e.t = "G" THEN Bury(t, e.n, i) ELSE Show(t, e.n, e.t = "A", i))
  /\ UNCHANGED <<World, ghosts>>

SeeRecord(a) ==
  LET s == rep[a]  S == RecsAfter(s.rpos) IN
  /\ S # {}
  /\ LET i == MinOf(S)  e == log[i]  t == [s EXCEPT !.rpos = i] IN
     Becomes(a, IF e.r.id # 0 THEN Learn(t, e.r)
                ELSE IF t.r.id # 0 /\ t.r.o < i THEN Forgets(t, i) ELSE t)
  /\ UNCHANGED <<World, ghosts>>

\* Keys whose removal (or change and change back) is hidden from one that starts to look now.
Hidden(v) == {k \in mine : node.c[k] = v.c[k]}

\* The watch was cut and events are gone: a list. Coalesced: several changes look like one.
Relist(a) ==
  LET s == rep[a]  t == [s EXCEPT !.pos = LastOf("node")] IN
  /\ a \in CutReps /\ NodesAfter(s.pos) # {}
  /\ Becomes(a, IF node.uid # 0 THEN Show(t, node, FALSE, Len(log))
                ELSE IF s.v.uid # 0 THEN Bury(t, s.v, Len(log)) ELSE t)
  /\ lossy' = lossy \cup {a}
  /\ limit' = IF node.uid = 0 THEN limit
              ELSE limit \cup Hidden(IF s.v.uid = node.uid THEN s.v ELSE NoNode)
  /\ UNCHANGED <<World, last, mine, forgot, broke>>

\* Crash between any two requests, and a new process: all that it knew is gone.
Restart(a) ==
  LET t == [NoRep EXCEPT !.pos = LastOf("node"), !.rpos = LastOf("rec"), !.r = rec]
      s == IF node.uid = 0 THEN t ELSE Arrive(t, node, FALSE) IN
  /\ a \in LossyReps /\ s # rep[a] /\ Becomes(a, s)
  /\ lossy' = lossy \cup {a}
  \* Known limits: what was removed before the restore, or after the marker was stripped.
  /\ limit' = IF node.uid # 0 /\ Check(rec, node.uid, node.m).id = 0 /\ rec.uid # node.uid
              THEN limit \cup Hidden(NoNode) ELSE limit
  /\ UNCHANGED <<World, last, mine, forgot, broke>>

------------------------------------------------------------------------------
(* What it does: keep.Desk, one request at a time *)

Claim(e) == [u |-> e.uid, m |-> e.m]
Judge(s, e, kn, del) == Decide(e, kn, s.r, del, Claim(e) \in s.reads)
TombDecision(s, i) == Judge(s, s.tombs[i].e, s.tombs[i].kn, TRUE)
ViewDecision(s) == IF s.v.uid = 0
                   THEN IF Edited(s.r) THEN Put(0, s.r.o, s.r.c, {}) ELSE Nop
                   ELSE Judge(s, s.v, s.kn, FALSE)

\* The first tombstone that needs a request; the living node waits for it.
Needy(s) == {i \in 1..Len(s.tombs) : TombDecision(s, i).op # "none"}

\* "Nothing" counts only from a record as new as the deletion. With "keep" only from one that says
\* so itself: else a write that is on its way may still bring an older state of that life.
MaySettle(s, t) == \/ ~On("quiet")
                   \/ s.r.id # 0 /\ s.r.rv >= t.e.rv
                   \/ ~On("keep") /\ RecHorizon(s) >= t.asOf

Settle(a) ==
  LET s == rep[a] IN
  /\ \E i \in 1..Len(s.tombs) :
       /\ TombDecision(s, i).op = "none" /\ MaySettle(s, s.tombs[i])
       /\ Becomes(a, [s EXCEPT !.tombs = Without(@, i)])
  /\ UNCHANGED <<World, ghosts>>

\* Compare-and-swap: an update needs the ConfigMap that we looked at, a create needs none.
Swaps(s) == IF On("cas") THEN rec.o = s.r.o /\ (rec.id = 0) = (s.r.id = 0) ELSE TRUE

Store(a, s, d) ==
  LET next == NextRec(d, s.r)  learnt == Learn(s, next)
      taken == {k \in Keys \ limit : rec.c[k] # 0 /\ rec.c[k] = last[k] /\ next.c[k] # last[k]} IN
  /\ Room /\ Swaps(s)
  /\ rec' = next /\ Emit(RecEvent("put", next))
  /\ \/ Becomes(a, learnt)
     \/ Has("lost") /\ UNCHANGED rep
  \* A create has no precondition: sent before the deletion was known it brings the record back.
  /\ limit' = IF s.r.id = 0 /\ d.rv < forgot /\ RecHorizon(rep[a]) < forgot THEN Keys ELSE limit
  /\ broke' = broke \cup (IF taken # {} THEN {"I1"} ELSE {})
              \cup (IF s.r.id = 0 /\ d.rv < forgot /\ RecHorizon(rep[a]) >= forgot
                    THEN {"I1forget"} ELSE {})
  /\ UNCHANGED <<node, edits, uidc, strips, last, mine, lossy, forgot>>

\* A tombstone leaves the memory together with the reply of its write, never before.
MergeTombstone(a) ==
  LET s == rep[a]  S == Needy(s) IN
  /\ a \in CapReps /\ S # {}
  /\ LET i == MinOf(S)  d == TombDecision(s, i) IN
     /\ d.op = "put"
     /\ Store(a, IF Edited(s.r) THEN s ELSE [s EXCEPT !.tombs = Without(@, i)], d)

\* I16 switched off: it is acknowledged when the request is sent, and the request is refused.
DropTombstone(a) ==
  LET s == rep[a]  S == Needy(s) IN
  /\ ~On("durable") /\ a \in CapReps /\ S # {} /\ TombDecision(s, MinOf(S)).op = "put"
  /\ ~Edited(s.r) /\ ~Swaps(s)
  /\ Becomes(a, [s EXCEPT !.tombs = Without(@, MinOf(S))])
  /\ UNCHANGED <<World, ghosts>>

LivesAfterForget(s) == ~On("alive") \/ s.lives \/ NodeHorizon(s) >= s.forg

Capture(a) ==
  LET s == rep[a]  d == ViewDecision(s) IN
  /\ a \in CapReps /\ Needy(s) = {} /\ d.op = "put"
  /\ (s.r.id = 0 => LivesAfterForget(s))
  /\ Store(a, s, d)

\* Proof of life only; what happened in between must come through the watch.
ReadNode(a) ==
  LET s == rep[a] IN
  /\ a \in CapReps /\ Needy(s) = {} /\ s.r.id = 0 /\ ViewDecision(s).op = "put"
  /\ ~LivesAfterForget(s) /\ node.uid = s.v.uid /\ node.rv = s.v.rv
  /\ Becomes(a, [s EXCEPT !.lives = TRUE])
  /\ UNCHANGED <<World, ghosts>>

\* A marker above the cached record, or a lost race: the record as it is, past the watch.
ReadRecord(a) ==
  LET s == rep[a]
      S == Needy(s)
      d == IF S = {} THEN ViewDecision(s) ELSE TombDecision(s, MinOf(S))
      e == IF S = {} THEN s.v ELSE s.tombs[MinOf(S)].e IN
  /\ \/ d.op = "read"
     \/ Has("read") /\ d.op = "put" /\ ~Swaps(s) /\ On("cas")
  /\ rec.id # 0
  /\ LET t == IF d.op = "read" THEN [s EXCEPT !.reads = @ \cup {Claim(e)}] ELSE s IN
     Becomes(a, Learn(t, rec))
  /\ UNCHANGED <<World, ghosts>>

\* One request: content, marker and withheld list.
Restore(a) ==
  LET s == rep[a]  d == ViewDecision(s)
      W == {k \in Keys : d.c[k] # s.v.c[k]}
      exact == node.uid = s.v.uid /\ node.rv = s.v.rv
      tested == Has("tested") /\ node.uid = s.v.uid /\ node.m = s.v.m
                /\ \A k \in W : node.c[k] = s.v.c[k] IN
  /\ a \in ResReps /\ Room /\ (a \in CapReps => Needy(s) = {}) /\ d.op = "patch"
  /\ node.uid # 0 /\ (exact \/ tested \/ ~On("precondition"))
  /\ LET n == [node EXCEPT !.c = [k \in Keys |-> IF k \in W THEN d.c[k] ELSE @[k]], !.rv = RV,
                 !.m = [g |-> s.r.g, n |-> s.r.id, u |-> s.v.uid], !.w = d.wh, !.np = @ + 1]
         over == {k \in mine : n.c[k] # node.c[k]}
         blind == {k \in W : ~exact /\ tested}
         \* From a record that was forgotten, which is not delivered yet: allowed.
         gone == s.r.o < forgot IN
     /\ node' = n /\ Emit(NodeEvent("patch", n))
     /\ broke' = broke \cup (IF over \ (blind \cup limit) # {} THEN {"I6"} ELSE {})
                       \cup (IF over # {} THEN {"I6strict"} ELSE {})
     /\ limit' = limit \cup (over \cap blind) \cup IF gone THEN Keys ELSE {}
  /\ UNCHANGED <<rec, rep, edits, uidc, strips, last, mine, lossy, forgot>>

\* An assumption on time: the grace outlasts every lag. When it is over, everybody has seen the
\* empty record and the nodes up to it, has merged what it still had from before, and knows what
\* was restored from an older version. Without it: configs/limit-grace.cfg.
Grace == ~On("grace") \/ \A b \in Reps :
  /\ rep[b].r = rec /\ NodeHorizon(rep[b]) >= rec.o /\ Needy(rep[b]) = {}
  /\ \A i \in NodesAfter(rep[b].pos) : log[i].n.m = NoMark

\* Our own clean-up of an empty record, with its uid and rv as preconditions.
CleanUp(a) ==
  LET s == rep[a] IN
  /\ Grace
  /\ Has("clean") /\ a \in CapReps /\ Room /\ s.r.id # 0 /\ ~Edited(s.r) /\ s.r.c = None
  /\ Needy(s) = {} /\ ViewDecision(s).op = "none" /\ rec = s.r
  /\ rec' = NoRec /\ Emit(RecEvent("clean", NoRec))
  /\ UNCHANGED <<node, rep, edits, uidc, strips, ghosts>>

Next ==
  \/ Register \/ Edit \/ Strip \/ Delete \/ HandEdit \/ Forget
  \/ \E a \in Reps :
       \/ SeeNode(a) \/ SeeRecord(a) \/ Relist(a) \/ Restart(a)
       \/ Settle(a) \/ MergeTombstone(a) \/ DropTombstone(a) \/ Capture(a) \/ CleanUp(a)
       \/ ReadNode(a) \/ ReadRecord(a) \/ Restore(a)

Spec == Init /\ [][Next]_vars

\* People and kubelets act in this order only, to look deep into one kind of history:
\* A register, E edit, S strip, G delete; H hand edit, F forget. (A state constraint.)
Acts == SelectSeq(log, LAMBDA e : e.t \in {"A", "E", "S", "G", "H", "F"})
Follows(script) ==
  LET acts == Acts IN Len(acts) <= Len(script) /\ \A i \in 1..Len(acts) : acts[i].t = script[i]

------------------------------------------------------------------------------
(* What must hold *)

\* Nothing is on its way and nobody wants to write. Room: the end was not that of the model.
Idle(a) ==
  LET s == rep[a]  o == ViewDecision(s).op IN
  /\ NodesAfter(s.pos) = {} /\ RecsAfter(s.rpos) = {}
  /\ (a \in CapReps => IF On("keep") THEN Needy(s) = {} ELSE s.tombs = <<>>)
  /\ ~(o = "put" /\ a \in CapReps) /\ ~(o = "patch" /\ a \in ResReps) /\ o # "read"
Settled == Room /\ \A a \in Reps : Idle(a)
SomeoneSawAll == lossy \cap CapReps # CapReps
Free == Keys \ limit
ByPeople == {k \in Free : \A s \in Starts : s[k] = 0}

\* No write takes people's last word out of the record; nothing forgotten is brought back.
I1 == broke \cap {"I1", "I1forget"} = {}
\* What was seen is in the record at quiescence, whoever crashed (I5, I16: tombstones until durable).
I2 == (Settled /\ SomeoneSawAll) => \A k \in ByPeople : rec.c[k] = last[k]
\* A version that is bound to an incarnation says what that one had, withheld keys aside.
I3 == (rec.uid # 0 /\ rec.c = rec.wc) =>
        LET n == log[rec.rv].n IN n.uid = rec.uid /\ \A k \in Keys \ rec.wh : rec.c[k] = n.c[k]
\* The person's word of this life is never overwritten by a restore.
I6 == "I6" \notin broke
\* The same without the known limits: must fail where they apply (configs/limit-*.cfg).
I6strict == "I6strict" \notin broke
\* No fight: an incarnation is restored a few times at most.
I7 == node.np <= 3
\* Quiescent means: node and record agree, and the node has what people want.
Converged ==
  /\ (Settled /\ node.uid # 0) =>
       \A k \in Free \ Withheld : node.c[k] = rec.c[k]
  /\ (Settled /\ node.uid # 0 /\ SomeoneSawAll) =>
       \A k \in ByPeople \ Withheld : node.c[k] = last[k]
=============================================================================
