package dev.nodekeeper.sim;

/** The promises, as numbered in the design; each is a check that names itself. */
enum Invariant {
  I1("no regress: no write of ours takes people's last word out of a record"),
  I2("no loss: at rest the record is people's last word, if one living replica saw it"),
  I3("a version bound to an incarnation says what that incarnation had"),
  I4("a restore is one request, with its marker; taints alone may come first"),
  I6("a restore never overwrites what a person did in this life"),
  I7("at rest node and record agree, then nothing is written; no fight"),
  I11("no foreign key or taint is touched, no record with content is deleted"),
  I12("what belongs to the machine is never restored"),
  I13("a record that cannot be read is neither used nor overwritten"),
  I15("an error is never taken for an absence"),
  S3("every version has a nonce of its own, which no marker shows"),
  DUTY("a process does what its role says, and only to nodes that it owns"),
  AWAY("to say that a node is away changes nothing else in its record"),
  CODEC("a record is read as it was written"),
  CRASHED("the Keeper throws nothing");

  private final String meaning;

  Invariant(String meaning) {
    this.meaning = meaning;
  }

  String meaning() {
    return meaning;
  }
}
