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
  Taints,     \* those that are taints: of an untouched one the record's value always wins
  Reps,       \* replicas
  CapReps,    \* those that write the record
  ResReps,    \* those that patch the node
  LossyReps,  \* those that may crash and start again with an empty memory
  CutReps,    \* those whose watches may be cut: a list that skips events
  MaxEdits, MaxUid, MaxRv, MaxStrip,
  Starts,     \* contents that a kubelet may register with
  Withheld,   \* keys that no restore may write (identity in doubt)
  HandKeys,   \* keys that people write into the record of a living node (and never onto the node)
  VBound,     \* older versions kept in a record
  Features,   \* what else the world does, see below
  Off         \* rules that are switched off

\* Constants, so that TLC looks once.
On == [cas |-> "cas" \notin Off, rv |-> "rv" \notin Off,
  precondition |-> "precondition" \notin Off, markUid |-> "markUid" \notin Off,
  markVersion |-> "markVersion" \notin Off, base |-> "base" \notin Off,
  touched |-> "touched" \notin Off, tombs |-> "tombs" \notin Off, late |-> "late" \notin Off,
  withheld |-> "withheld" \notin Off, hand |-> "hand" \notin Off, nonce |-> "nonce" \notin Off,
  taints |-> "taints" \notin Off, durable |-> "durable" \notin Off,
  linger |-> "linger" \notin Off, grace |-> "grace" \notin Off, alive |-> "alive" \notin Off,
  void |-> "void" \notin Off, emptyVoid |-> "emptyVoid" \notin Off,
  missed |-> "missed" \notin Off, nobody |-> "nobody" \notin Off, words |-> "words" \notin Off,
  quietVoid |-> "quietVoid" \notin Off, future |-> "future" \notin Off,
  adopt |-> "adopt" \notin Off, carry |-> "carry" \notin Off]
\* "hand"    people edit the record of an absent node
\* "forget"  people delete it
\* "seed"    people make a record by hand, without a nonce
\* "clean"   empty records are deleted by us
\* "lost"    the reply to a committed record write may be lost
\* "read"    after a lost race the record is read live, past the watch
\* "replay"  a kubelet registers with a marker of an earlier life
\* "forge"   a kubelet registers with a made-up marker of a high generation
\* "tested"  restores as JSON patches that test only what they write (after a conflict)
\* "record"  on-conflict: record
\* "relist"  the record watch is cut too
Has == [hand |-> "hand" \in Features, forget |-> "forget" \in Features,
  seed |-> "seed" \in Features, clean |-> "clean" \in Features, lost |-> "lost" \in Features,
  read |-> "read" \in Features, replay |-> "replay" \in Features,
  forge |-> "forge" \in Features, tested |-> "tested" \in Features,
  record |-> "record" \in Features, relist |-> "relist" \in Features]

VARIABLES
  node,   \* the Node in the API server; uid 0: absent
  rec,    \* the record there; id 0: absent
  log,    \* all events so far; of what everybody has seen only the kind
  marks,  \* markers that a kubelet may replay
  rep,    \* the memory of each replica
  edits, uidc, strips,
  \* Ghosts: what people wanted, and what they may not expect.
  last,   \* people's last word for each key
  mine,   \* keys that people changed in this life
  lossy,  \* replicas that missed something
  limit,  \* keys for which a known limit applies (design 4)
  forgot, \* rv of the last `forget`
  broke   \* names of the rules that were broken on the way

vars == <<node, rec, log, marks, rep, edits, uidc, strips, last, mine, lossy, limit, forgot, broke>>
ghosts == <<last, mine, lossy, limit, forgot, broke>>

------------------------------------------------------------------------------
(* Values *)

None    == [k \in Keys |-> 0]
NoMark  == [g |-> 0, n |-> 0, u |-> 0]
\* np (a ghost): how often it was restored.
NoNode  == [uid |-> 0, rv |-> 0, c |-> None, m |-> NoMark, w |-> {}, np |-> 0]
\* id: the nonce of this version; cm: which ConfigMap it is; o: its resourceVersion; uid, rv: the
\* node that it was taken from; wc: what we wrote, before a person's edit; vs: older versions.
NoRec   == [id |-> 0, cm |-> 0, g |-> 0, uid |-> 0, rv |-> 0, c |-> None, wc |-> None, vs |-> <<>>,
            words |-> None, wh |-> {}, o |-> 0]
\* An epoch: the marker that opened it (NoMark: none), its withheld list, since when, touched keys
\* with their rv.
NoEpoch == [m |-> NoMark, w |-> {}, s |-> 0, t |-> None]
NoKn    == [reg |-> FALSE, base |-> None, first |-> NoEpoch, proven |-> NoEpoch, fresh |-> NoEpoch]
NoRep   == [pos |-> 0, rpos |-> 0, v |-> NoNode, kn |-> NoKn, tombs |-> <<>>, r |-> NoRec,
            forg |-> 0, void |-> 0, lives |-> FALSE, reads |-> {}]

RV == Len(log) + 1
Room == Len(log) < MaxRv
Max(x, y) == IF x > y THEN x ELSE y
MinOf(S) == CHOOSE x \in S : \A y \in S : x <= y
Without(q, i) == SubSeq(q, 1, i - 1) \o SubSeq(q, i + 1, Len(q))

\* n: of a node, else of a record; x: the state.
NodeEvent(t, n) == [n |-> TRUE, t |-> t, x |-> n]
RecEvent(t, r)  == [n |-> FALSE, t |-> t, x |-> r]
Emit(e) == log' = Append(log, e)
EmitNode(t, n) ==
  /\ node' = n /\ Emit(NodeEvent(t, IF n.uid = 0 THEN [node EXCEPT !.rv = RV] ELSE n))
  /\ marks' = IF Has.replay /\ n.uid # 0 THEN marks \cup {n.m} ELSE marks
EmitRec(t, r) == rec' = r /\ Emit(RecEvent(t, r)) /\ UNCHANGED marks

NodesAfter(p) == {i \in (p + 1)..Len(log) : log[i].n}
RecsAfter(p)  == {i \in (p + 1)..Len(log) : ~log[i].n}
LastOf(S) == IF S = {} THEN 0 ELSE CHOOSE x \in S : \A y \in S : x >= y
\* How far a watch has come: bookmarks are prompt, so it is just below the next event it will show.
NodeHorizon(s) == LET S == NodesAfter(s.pos) IN IF S = {} THEN Len(log) ELSE MinOf(S) - 1
RecHorizon(s)  == LET S == RecsAfter(s.rpos) IN IF S = {} THEN Len(log) ELSE MinOf(S) - 1

Init ==
  /\ node = NoNode /\ rec = NoRec /\ log = <<>> /\ marks = {NoMark} /\ rep = [a \in Reps |-> NoRep]
  /\ edits = 0 /\ uidc = 0 /\ strips = 0
  /\ last = None /\ mine = {} /\ lossy = {} /\ limit = {} /\ forgot = 0 /\ broke = {}

------------------------------------------------------------------------------
(* People and kubelets *)

\* The nonce of a record that a person made is no secret.
Marks ==
  marks \cup IF ~Has.forge THEN {}
            ELSE {[g |-> 9, n |-> 0, u |-> uidc + 1]}
                 \cup IF rec.id # 0 /\ rec.g = 0 THEN {[g |-> 0, n |-> rec.id, u |-> uidc + 1]} ELSE {}

Register ==
  /\ Room /\ node.uid = 0 /\ uidc < MaxUid
  /\ \E s \in Starts, m \in Marks :
       EmitNode("A", [NoNode EXCEPT !.uid = uidc + 1, !.rv = RV, !.c = s, !.m = m])
  /\ uidc' = uidc + 1 /\ mine' = {}
  /\ UNCHANGED <<rec, rep, edits, strips, last, lossy, limit, forgot, broke>>

Edit ==
  /\ Room /\ node.uid # 0 /\ edits < MaxEdits
  /\ \E k \in Keys \ HandKeys : \E x \in {0, edits + 1} :
       /\ node.c[k] # x
       /\ EmitNode("E", [node EXCEPT !.c[k] = x, !.rv = RV])
       /\ last' = [last EXCEPT ![k] = x] /\ mine' = mine \cup {k}
  /\ edits' = edits + 1
  /\ UNCHANGED <<rec, rep, uidc, strips, lossy, limit, forgot, broke>>

Strip ==
  /\ Room /\ node.m # NoMark /\ strips < MaxStrip
  /\ EmitNode("S", [node EXCEPT !.m = NoMark, !.w = {}, !.rv = RV])
  /\ strips' = strips + 1 /\ UNCHANGED <<rec, rep, edits, uidc, ghosts>>

Delete ==
  /\ Room /\ node.uid # 0 /\ EmitNode("G", NoNode) /\ mine' = {}
  /\ UNCHANGED <<rec, rep, edits, uidc, strips, last, lossy, limit, forgot, broke>>

HandEdit ==
  /\ Room /\ rec.id # 0 /\ edits < MaxEdits
  /\ \E k \in IF node.uid # 0 THEN HandKeys ELSE IF Has.hand THEN Keys ELSE {} :
     \E x \in {0, edits + 1} :
       /\ rec.c[k] # x
       /\ EmitRec("H", [rec EXCEPT !.c[k] = x, !.o = RV])
       /\ last' = [last EXCEPT ![k] = x] /\ mine' = mine \ {k}
  \* Two edits in one: which of their keys is the newer word is lost.
  /\ limit' = IF rec.c # rec.wc THEN Keys ELSE limit
  /\ edits' = edits + 1 /\ UNCHANGED <<node, rep, uidc, strips, lossy, forgot, broke>>

\* Made by hand, or by another tool: it has no version of ours, so no marker is valid for it.
Seed ==
  /\ Has.seed /\ Room /\ rec.id = 0 /\ node.uid = 0 /\ edits < MaxEdits
  /\ \E k \in Keys :
       LET c == [None EXCEPT ![k] = edits + 1] IN
       /\ EmitRec("H", [NoRec EXCEPT !.id = RV, !.cm = RV, !.o = RV, !.c = c,
                                     !.wc = IF On.nonce THEN None ELSE c])
       /\ last' = [last EXCEPT ![k] = edits + 1]
  /\ edits' = edits + 1 /\ UNCHANGED <<node, rep, uidc, strips, mine, lossy, limit, forgot, broke>>

Forget ==
  /\ Has.forget /\ Room /\ rec.id # 0 /\ rec.c # None /\ node.uid = 0 /\ edits < MaxEdits
  /\ EmitRec("F", NoRec) /\ last' = None /\ forgot' = RV
  /\ edits' = edits + 1 /\ UNCHANGED <<node, rep, uidc, strips, mine, lossy, limit, broke>>

------------------------------------------------------------------------------
(* What a replica knows of an incarnation: decide.Knowledge, decide.Epoch *)

History(r) == IF r.id = 0 \/ (r.g = 0 /\ On.nonce) THEN <<>>
              ELSE <<[id |-> r.id, g |-> r.g, uid |-> r.uid, rv |-> r.rv, c |-> r.wc]>> \o r.vs
NoVersion == [id |-> 0, g |-> 0, uid |-> 0, rv |-> 0, c |-> None]
Newest(H, S) == IF S = {} THEN NoVersion ELSE H[MinOf(S)]

\* The version that a marker is valid for: the nonce n stands for the mac under it.
Check(r, uid, m) ==
  LET H == History(r) IN
  Newest(H, {i \in 1..Len(H) : m.n # 0 /\ H[i].id = m.n /\ (m.u = uid \/ ~On.markUid)})

Confirm(kn, r, uid) ==
  IF kn.fresh.m = NoMark THEN kn
  ELSE LET version == Check(r, uid, kn.fresh.m)
           before == IF kn.proven.m = NoMark THEN NoVersion ELSE Check(r, uid, kn.proven.m) IN
       IF version.id = 0 THEN kn
       ELSE [kn EXCEPT !.proven = IF before.id # 0 /\ version.g < before.g THEN @ ELSE kn.fresh,
                       !.fresh = NoEpoch]

Marked(n, t) == [m |-> n.m, w |-> n.w, s |-> n.rv, t |-> t]

Begin(n, registered) ==
  [NoKn EXCEPT !.reg = registered, !.base = n.c, !.first = [NoEpoch EXCEPT !.s = n.rv],
               !.fresh = IF n.m = NoMark THEN NoEpoch ELSE Marked(n, None)]

Touch(t, D, at) == [k \in Keys |-> IF k \in D THEN at ELSE t[k]]

See(kn, before, now) ==
  LET D == {k \in Keys : before.c[k] # now.c[k]}
      touch(epoch) == IF D = {} THEN epoch ELSE [epoch EXCEPT !.t = Touch(@, D, now.rv)]
      marked == now.m # NoMark /\ (now.m # before.m \/ now.w # before.w)
      carried == IF ~On.carry THEN None
                 ELSE Touch(IF kn.proven.m = NoMark THEN kn.first.t ELSE kn.proven.t, D, 0) IN
  [kn EXCEPT !.first = touch(@),
             !.proven = IF @.m = NoMark THEN @ ELSE touch(@),
             !.fresh = IF marked THEN Marked(now, carried)
                       ELSE IF @.m = NoMark THEN @ ELSE touch(@)]

SeeWith(r, kn, before, now) ==
  Confirm(See(Confirm(kn, r, before.uid), before, now), r, now.uid)

------------------------------------------------------------------------------
(* The decision table: decide.Decider, Comparison, Merge.                   *)
(* e: the node as seen; del: its last state; live: the record was just read *)

Nop == [op |-> "none", uid |-> 0, rv |-> 0, c |-> None, wh |-> {}, mk |-> {}, mt |-> None]
Put(uid, rv, c, wh) == [Nop EXCEPT !.op = "put", !.uid = uid, !.rv = rv, !.c = c, !.wh = wh]
Edited(r) == On.hand /\ r.id # 0 /\ (r.c # r.wc \/ (r.g = 0 /\ On.nonce))

Listed(r, marked, epoch, byUid) ==
  IF ~On.withheld THEN {}
  ELSE (IF marked.id # 0 THEN epoch.w ELSE {}) \cup (IF byUid THEN r.wh ELSE {})
Held(e, epoch, listed) == {k \in listed : e.c[k] = 0 /\ epoch.t[k] = 0}

\* Whether a person (anyone but us) changed the key in this life.
IsTaint(k) == k \in Taints /\ On.taints
\* A taint that the kubelet registered with, restored from a version that did not know it.
StoodThere(k, e, kn, r, base, at) ==
  IsTaint(k) /\ base.c[k] = 0 /\ r.c[k] # 0 /\ at[k] = 0 /\ e.c[k] = kn.base[k]
Touched(k, e, kn, r, base, at, held) ==
  /\ k \notin held
  /\ IF base.id # 0
     THEN \/ e.c[k] # base.c[k] /\ ~StoodThere(k, e, kn, r, base, at)
          \/ at[k] > r.words[k]
     ELSE \/ at[k] # 0
          \/ IF kn.reg THEN e.c[k] # kn.base[k]
             ELSE e.c[k] # 0 /\ ~(IsTaint(k) /\ r.c[k] # 0)

\* Known: the node is authoritative.
DecideKnown(e, r, del, byUid, inPlace, held) ==
  LET captured == [k \in Keys |-> IF k \in held THEN r.c[k] ELSE e.c[k]]
      put == Put(e.uid, e.rv, captured, {k \in held : r.c[k] # 0})
      \* At the very same revision: only on keys that the writer of the record did not keep.
      said == \E k \in Keys : captured[k] # r.c[k] /\ r.words[k] >= e.rv IN
  IF byUid /\ e.rv = r.rv /\ said /\ On.rv THEN Nop
  ELSE IF captured # r.c THEN put
  ELSE IF ~del /\ ~byUid /\ ~inPlace /\ On.adopt THEN put
  ELSE Nop

\* Not known and present: the record is, for what nobody touched.
DecideRestore(e, r, base, touched) ==
  LET target == [k \in Keys |->
                  IF k \in Withheld \/ k \in touched THEN e.c[k]
                  ELSE IF base.id = 0 /\ r.c[k] = 0 THEN e.c[k]
                  ELSE IF base.id = 0 /\ e.c[k] # 0 /\ ~IsTaint(k) /\ ~Has.record THEN e.c[k]
                  ELSE r.c[k]]
      leftOut == {k \in Withheld \ touched : r.c[k] # 0 /\ e.c[k] = 0} IN
  IF r.c = None /\ target = e.c /\ e.c = None THEN Nop
  ELSE [Nop EXCEPT !.op = "patch", !.c = target, !.wh = IF On.withheld THEN leftOut ELSE {}]

\* Not known and gone: a tombstone. Of two words on a key the newer wins; a touch that we did not
\* see happened when we first looked, at the latest.
DecideTombstone(e, r, base, epoch, touched) ==
  LET late == e.rv <= r.rv
      at == [k \in Keys |-> IF epoch.t[k] # 0 THEN epoch.t[k] ELSE epoch.s]
      \* A later view of the same life is in the record, and its word on the key still stands.
      later(k) == base.id # 0 /\ base.uid = e.uid /\ e.rv < base.rv /\ r.c[k] = base.c[k]
      D == {k \in touched : ~On.words \/ (r.words[k] < at[k] /\ ~later(k))}
      merge == [k \in Keys |-> IF k \in D THEN e.c[k] ELSE r.c[k]] IN
  IF merge = r.c \/ (late /\ ~On.late) THEN Nop
  ELSE [Put(IF late \/ On.nobody THEN 0 ELSE e.uid, IF late THEN r.rv ELSE e.rv, merge, {})
        EXCEPT !.mk = D, !.mt = at]

DecideUnknown(e, kn, r, del, marked, epoch, held) ==
  LET H == History(r)
      base == IF ~On.base THEN NoVersion
              ELSE Newest(H, {i \in 1..Len(H) : H[i].uid = e.uid
                                                \/ (marked.id # 0 /\ H[i].id = marked.id)})
      at == IF On.touched THEN epoch.t ELSE None
      touched == {k \in Keys : Touched(k, e, kn, r, base, at, held)} IN
  IF del THEN DecideTombstone(e, r, base, epoch, touched)
  ELSE DecideRestore(e, r, base, touched)

Compare(e, kn, r, del, byUid) ==
  LET marked == IF kn.proven.m = NoMark THEN NoVersion ELSE Check(r, e.uid, kn.proven.m)
      epoch == IF marked.id = 0 THEN kn.first ELSE kn.proven
      known == byUid \/ (marked.id # 0 /\ (marked.g = r.g \/ ~On.markVersion))
      held == Held(e, epoch, Listed(r, marked, epoch, byUid)) IN
  IF known THEN DecideKnown(e, r, del, byUid, marked.id # 0 /\ epoch.m = e.m, held)
  ELSE DecideUnknown(e, kn, r, del, marked, epoch, held)

DecideRecord(e, kn, r, del, live) ==
  IF Edited(r) THEN Put(0, r.o, r.c, {})
  ELSE IF r.uid # e.uid /\ e.m.g > r.g /\ ~live /\ On.future THEN [Nop EXCEPT !.op = "read"]
  ELSE IF r.uid = e.uid /\ e.rv < r.rv /\ On.rv THEN Nop
  ELSE Compare(e, Confirm(kn, r, e.uid), r, del, r.uid = e.uid)

Decide(e, kn, r, del, live) ==
  IF r.id = 0 THEN IF e.c = None THEN Nop ELSE Put(e.uid, e.rv, e.c, {})
  ELSE DecideRecord(e, kn, r, del, live)

\* The next version: NodeRecord.next, Words.after.
NextRec(d, r) ==
  LET H == History(r)
      words == [k \in Keys |-> IF k \in d.mk THEN d.mt[k]
                              ELSE IF r.g = 0 THEN IF d.c[k] # 0 THEN d.rv ELSE 0
                              ELSE IF r.wc[k] # d.c[k] THEN d.rv ELSE r.words[k]] IN
  [id |-> RV, cm |-> IF r.id = 0 THEN RV ELSE r.cm, g |-> r.g + 1, uid |-> d.uid, rv |-> d.rv, c |-> d.c, wc |-> d.c, o |-> RV,
   vs |-> SubSeq(H, 1, IF Len(H) < VBound THEN Len(H) ELSE VBound),
   words |-> words, wh |-> d.wh]

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
      add == /\ On.tombs /\ e.rv >= s.void
             /\ same \/ \A i \in 1..Len(s.tombs) : s.tombs[i].e.uid # e.uid
  IN [s EXCEPT !.tombs = IF add THEN Append(@, [e |-> e, kn |-> kn, asOf |-> asOf]) ELSE @,
               !.v = IF same THEN NoNode ELSE @]

Arrive(s, n, registered) ==
  [s EXCEPT !.v = n, !.kn = Begin(n, registered), !.reads = {}, !.lives = FALSE]

\* A state of the node arrives, by watch or list. What another uid left behind is its tombstone.
Show(s, n, registered, asOf) ==
  IF s.v.uid = n.uid THEN [s EXCEPT !.kn = SeeWith(s.r, s.kn, s.v, n), !.v = n]
  ELSE Arrive(IF s.v.uid # 0 THEN Bury(s, s.v, asOf) ELSE s, n, registered)

Claim(e) == [u |-> e.uid, m |-> e.m]
Judge(s, e, kn, del) == Decide(e, kn, s.r, del, Claim(e) \in s.reads)
TombDecision(s, i) == Judge(s, s.tombs[i].e, s.tombs[i].kn, TRUE)

\* A predecessor of the record was deleted.
Voids(s, below) ==
  IF ~On.void \/ below <= s.void THEN s
  ELSE [s EXCEPT !.void = below, !.tombs = SelectSeq(@, LAMBDA t : t.e.rv >= below)]

\* With an empty record nothing was forgotten but what it had seen: lives that it had not seen yet,
\* and that had something to add, still count.
Loses(s, at) ==
  LET empty == On.emptyVoid /\ ~Edited(s.r) /\ s.r.c = None
      quiet(t) == On.quietVoid /\ Judge(s, t.e, t.kn, TRUE).op = "none"
      heard == IF empty THEN [s EXCEPT !.tombs = SelectSeq(@, LAMBDA t : ~quiet(t))] ELSE s IN
  Voids(heard, IF empty THEN s.r.rv + 1 ELSE at)
Forgets(s, at) == [Loses(s, at) EXCEPT !.forg = Max(@, at), !.r = NoRec]

\* Another ConfigMap under the name: the one that we knew was deleted, and that is not told yet.
Learn(s, r) ==
  IF r.o < s.forg \/ (s.r.id # 0 /\ r.o <= s.r.o) THEN s
  ELSE [(IF s.r.id # 0 /\ s.r.cm # r.cm /\ On.missed THEN Loses(s, s.r.o + 1) ELSE s)
        EXCEPT !.r = r]

World == <<node, rec, marks, edits, uidc, strips>>
Becomes(a, s) == rep' = [rep EXCEPT ![a] = Tidy(s)]
\* What everybody has seen need not be kept.
Passed(i) == \A b \in Reps : i <= IF log[i].n THEN rep'[b].pos ELSE rep'[b].rpos
Shown(i) == log' = IF Passed(i) THEN [log EXCEPT ![i].x = <<>>] ELSE log
AllShown == log' = [i \in 1..Len(log) |-> IF Passed(i) THEN [log[i] EXCEPT !.x = <<>>] ELSE log[i]]

SeeNode(a) ==
  LET s == rep[a]  S == NodesAfter(s.pos) IN
  /\ S # {}
  /\ LET i == MinOf(S)  e == log[i]  t == [s EXCEPT !.pos = i] IN
     /\ Becomes(a, IF e.t = "G" THEN Bury(t, e.x, i) ELSE Show(t, e.x, e.t = "A", i))
     /\ Shown(i)
  /\ UNCHANGED <<World, ghosts>>

SeeRecord(a) ==
  LET s == rep[a]  S == RecsAfter(s.rpos) IN
  /\ S # {}
  /\ LET i == MinOf(S)  e == log[i]  t == [s EXCEPT !.rpos = i] IN
     /\ Becomes(a, IF e.x.id # 0 THEN Learn(t, e.x)
                   ELSE IF t.r.id # 0 /\ t.r.o < i THEN Forgets(t, i) ELSE Voids(t, i))
     /\ Shown(i)
  /\ UNCHANGED <<World, ghosts>>

\* Keys whose removal (or change and change back) is hidden from one that starts to look now.
Hidden(v) == {k \in mine : node.c[k] = v.c[k] \/ k \in Taints}

\* Neither its marker nor the record says that this life was restored.
InDoubt == node.uid # 0 /\ Check(rec, node.uid, node.m).id = 0 /\ rec.uid # node.uid

\* The watch was cut and events are gone: a list. Coalesced: several changes look like one.
Relist(a) ==
  LET s == rep[a]  t == [s EXCEPT !.pos = LastOf(NodesAfter(0))] IN
  /\ a \in CutReps /\ NodesAfter(s.pos) # {}
  /\ Becomes(a, IF node.uid # 0 THEN Show(t, node, FALSE, Len(log))
                ELSE IF s.v.uid # 0 THEN Bury(t, s.v, Len(log)) ELSE t)
  /\ lossy' = lossy \cup {a}
  /\ limit' = IF InDoubt THEN limit \cup Hidden(IF s.v.uid = node.uid THEN s.v ELSE NoNode) ELSE limit
  /\ AllShown /\ UNCHANGED <<World, last, mine, forgot, broke>>

RelistRecords(a) ==
  LET s == rep[a]  t == [s EXCEPT !.rpos = LastOf(RecsAfter(0))] IN
  /\ Has.relist /\ a \in CutReps /\ Cardinality(RecsAfter(s.rpos)) > 1
  /\ Becomes(a, IF rec.id # 0 THEN Learn(t, rec) ELSE IF s.r.id # 0 THEN Forgets(t, Len(log)) ELSE t)
  \* Forgotten within the gap: a record that it never knew of, or after a life that is newer than the
  \* record it knew. Was that life before the deletion, or after it?
  /\ LET newer == {s.tombs[i].e.rv : i \in DOMAIN s.tombs} \cup {s.v.rv} \cup NodesAfter(s.pos) IN
     limit' = IF forgot > s.rpos /\ (s.r.id = 0 \/ \E i \in newer : s.r.o < i /\ i < forgot)
              THEN Keys ELSE limit
  /\ AllShown /\ UNCHANGED <<World, last, mine, lossy, forgot, broke>>

\* Crash between any two requests, and a new process: all that it knew is gone.
Restart(a) ==
  LET t == [NoRep EXCEPT !.pos = LastOf(NodesAfter(0)), !.rpos = LastOf(RecsAfter(0)), !.r = rec]
      s == IF node.uid = 0 THEN t ELSE Arrive(t, node, FALSE) IN
  /\ a \in LossyReps /\ s # rep[a] /\ Becomes(a, s)
  /\ lossy' = lossy \cup {a}
  \* Known limits: what was removed before the restore, or after the marker was stripped.
  /\ limit' = IF InDoubt THEN limit \cup Hidden(NoNode) ELSE limit
  /\ AllShown /\ UNCHANGED <<World, last, mine, forgot, broke>>

------------------------------------------------------------------------------
(* What it does: keep.Desk, one request at a time *)

ViewDecision(s) == IF s.v.uid = 0
                   THEN IF Edited(s.r) THEN Put(0, s.r.o, s.r.c, {}) ELSE Nop
                   ELSE Judge(s, s.v, s.kn, FALSE)

\* The first tombstone that needs a request; the living node waits for it.
Needy(s) == {i \in 1..Len(s.tombs) : TombDecision(s, i).op # "none"}

\* An assumption on time: a tombstone lingers for longer than every replica needs to see the deletion,
\* to write what it knows of that life (a re-list shows the deletion, not what came before it), for its
\* requests to land, and for our record watch to show what they wrote.
Lingered(s, t) == ~On.linger \/
  /\ \A b \in Reps : NodeHorizon(rep[b]) >= t.asOf
  /\ \A b \in CapReps : \A i \in Needy(rep[b]) :
       rep[b].tombs[i].e.uid = t.e.uid => rep[b].tombs[i].e.rv >= t.e.rv
  /\ \A i \in RecsAfter(s.rpos) : log[i].x.id = 0 \/ log[i].x.rv >= t.e.rv

\* "Nothing" counts only from a record as new as the deletion.
MaySettle(s, t) ==
  /\ Lingered(s, t)
  /\ RecHorizon(s) >= t.asOf \/ (s.r.id # 0 /\ s.r.rv >= t.e.rv)

\* In their order: not before an older one that needs a request.
Settle(a, s, S) ==
  /\ \E i \in 1..Len(s.tombs) :
       (\A j \in S : i < j) /\ MaySettle(s, s.tombs[i]) /\ Becomes(a, [s EXCEPT !.tombs = Without(@, i)])
  /\ UNCHANGED <<World, log, ghosts>>

\* Compare-and-swap: an update needs the ConfigMap that we looked at, a create needs none.
Swaps(s) == IF On.cas THEN rec.o = s.r.o /\ (rec.id = 0) = (s.r.id = 0) ELSE TRUE

\* e: the state that it is taken from.
Store(a, s, d, e) ==
  LET next == NextRec(d, s.r)  learnt == Learn(s, next)
      taken == {k \in Keys \ limit : rec.c[k] # 0 /\ rec.c[k] = last[k] /\ next.c[k] # last[k]}
      untrue == d.uid # 0 /\ (d.uid # e.uid \/ d.rv # e.rv
                              \/ \E k \in Keys \ d.wh : d.c[k] # e.c[k]) IN
  /\ Room /\ Swaps(s)
  /\ EmitRec("W", next)
  /\ \/ Becomes(a, learnt)
     \/ Has.lost /\ UNCHANGED rep
  \* A create has no precondition: sent before the deletion was known it brings the record back.
  /\ limit' = IF s.r.id = 0 /\ d.rv < forgot /\ RecHorizon(rep[a]) < forgot THEN Keys ELSE limit
  /\ broke' = broke \cup (IF taken # {} THEN {"I1"} ELSE {}) \cup (IF untrue THEN {"I3"} ELSE {})
              \cup (IF s.r.id = 0 /\ d.rv < forgot /\ RecHorizon(rep[a]) >= forgot /\ limit # Keys
                    THEN {"I1forget"} ELSE {})
  /\ UNCHANGED <<node, edits, uidc, strips, last, mine, lossy, forgot>>

\* A tombstone leaves the memory together with the reply of its write, never before.
MergeTombstone(a, s, i, d) ==
  /\ a \in CapReps
  /\ Store(a, IF Edited(s.r) THEN s ELSE [s EXCEPT !.tombs = Without(@, i)], d, s.tombs[i].e)

\* I16 switched off: it is acknowledged when the request is sent, and the request is refused.
DropTombstone(a, s, i) ==
  /\ ~On.durable /\ a \in CapReps /\ ~Edited(s.r) /\ ~Swaps(s)
  /\ Becomes(a, [s EXCEPT !.tombs = Without(@, i)])
  /\ UNCHANGED <<World, log, ghosts>>

LivesAfterForget(s) == ~On.alive \/ s.lives \/ NodeHorizon(s) >= s.forg

Capture(a, s, d) ==
  /\ a \in CapReps /\ (s.r.id = 0 => LivesAfterForget(s))
  /\ Store(a, s, d, s.v)

\* Proof of life only; what happened in between must come through the watch.
ReadNode(a, s) ==
  /\ a \in CapReps /\ s.r.id = 0 /\ ~LivesAfterForget(s)
  /\ node.uid = s.v.uid /\ node.rv = s.v.rv
  /\ Becomes(a, [s EXCEPT !.lives = TRUE])
  /\ UNCHANGED <<World, log, ghosts>>

\* A marker above the cached record, or a lost race: the record as it is, past the watch.
ReadRecord(a, s, d, e) ==
  /\ \/ d.op = "read"
     \/ Has.read /\ d.op = "put" /\ ~Swaps(s)
  /\ rec.id # 0
  /\ LET t == IF d.op = "read" THEN [s EXCEPT !.reads = @ \cup {Claim(e)}] ELSE s IN
     Becomes(a, Learn(t, rec))
  /\ UNCHANGED <<World, log, ghosts>>

\* One request: content, marker and withheld list.
Restore(a, s, d) ==
  LET W == {k \in Keys : d.c[k] # s.v.c[k]}
      exact == node.uid = s.v.uid /\ node.rv = s.v.rv
      tested == Has.tested /\ node.uid = s.v.uid /\ node.m = s.v.m
                /\ \A k \in W : node.c[k] = s.v.c[k] IN
  /\ a \in ResReps /\ Room
  /\ node.uid # 0 /\ (exact \/ tested \/ ~On.precondition)
  /\ LET n == [node EXCEPT !.c = [k \in Keys |-> IF k \in W THEN d.c[k] ELSE @[k]], !.rv = RV,
                 !.m = [g |-> s.r.g, n |-> s.r.id, u |-> s.v.uid], !.w = d.wh, !.np = @ + 1]
         over == {k \in mine : n.c[k] # node.c[k]}
         blind == {k \in W : ~exact /\ tested}
         \* From a record that was forgotten, which is not delivered yet: allowed.
         gone == s.r.o < forgot IN
     /\ EmitNode("P", n)
     /\ broke' = broke \cup (IF over \ (blind \cup limit) # {} THEN {"I6"} ELSE {})
                       \cup (IF over # {} THEN {"I6strict"} ELSE {})
     /\ limit' = limit \cup (over \cap blind) \cup IF gone THEN Keys ELSE {}
  /\ UNCHANGED <<rec, rep, edits, uidc, strips, last, mine, lossy, forgot>>

\* An assumption on time: the grace outlasts every lag. When it is over, everybody has seen the
\* empty record and the nodes up to it, has merged what it still had from before, and knows what
\* was restored from an older version. Without it: configs/limit-grace.cfg.
Grace == ~On.grace \/ \A b \in Reps :
  /\ rep[b].r = rec /\ NodeHorizon(rep[b]) >= rec.o /\ Needy(rep[b]) = {}
  /\ \A i \in NodesAfter(rep[b].pos) : log[i].x.m = NoMark

\* Our own clean-up of an empty record, with its uid and rv as preconditions.
CleanUp(a, s) ==
  /\ Has.clean /\ a \in CapReps /\ Room /\ s.r.id # 0 /\ ~Edited(s.r) /\ s.r.c = None
  /\ rec = s.r /\ Grace
  /\ EmitRec("C", NoRec)
  /\ UNCHANGED <<node, rep, edits, uidc, strips, ghosts>>

\* One look at the slot. A process that only restores leaves tombstones to the others.
Work(a) ==
  LET s == rep[a]  S == Needy(s)  i == MinOf(S)  t == TombDecision(s, i)  d == ViewDecision(s) IN
  \/ Settle(a, s, S)
  \/ /\ S # {}
     /\ \/ t.op = "put" /\ MergeTombstone(a, s, i, t)
        \/ t.op = "put" /\ DropTombstone(a, s, i)
        \/ ReadRecord(a, s, t, s.tombs[i].e)
  \/ /\ S = {} \/ a \notin CapReps
     /\ \/ d.op = "put" /\ Capture(a, s, d)
        \/ d.op = "put" /\ ReadNode(a, s)
        \/ d.op = "patch" /\ Restore(a, s, d)
        \/ d.op = "none" /\ S = {} /\ CleanUp(a, s)
        \/ ReadRecord(a, s, d, s.v)

Next ==
  \/ Register \/ Edit \/ Strip \/ Delete \/ HandEdit \/ Seed \/ Forget
  \/ \E a \in Reps : SeeNode(a) \/ SeeRecord(a) \/ Relist(a) \/ RelistRecords(a) \/ Restart(a) \/ Work(a)

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
  /\ (a \in CapReps => Needy(s) = {})
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
I3 == "I3" \notin broke
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
\* Then nobody writes any more, also not one that starts now and has seen nothing of this life.
Lasting ==
  (Settled /\ node.uid # 0) => Decide(node, Begin(node, FALSE), rec, FALSE, TRUE).op = "none"
\* A kubelet cannot weaken a taint that people set: registering with it does not change its value.
Quarantine ==
  (Settled /\ node.uid # 0 /\ SomeoneSawAll) =>
    \A k \in (Taints \ limit) \ mine : last[k] # 0 => node.c[k] = last[k]
=============================================================================
