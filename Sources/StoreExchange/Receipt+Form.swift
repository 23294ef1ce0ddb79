package import JSONText
import Platform

extension Receipt {
  /// The form of the members that an exchange needs, without `format_version`.
  package static let form = JSONForm(
    "The record of a run, beside the store that it replaced.",
    names + [
      .required("found", .object(FileRecord.form), "The main file as it was found."),
      .required(
        "companions", .object(Companions.pairForm), "The files beside the main file."),
      .required("snapshot", .object(snapshotForm), "The old store with its log folded in."),
      .required("written", .object(FileRecord.form), "The new main file."),
      .required("digest", .string(), "The digest of the new store's entity hashes."),
      .required("content_before", .string(), "The hash of the old store's rows."),
      .required("content", .string(), "The hash of the new store's rows."),
      .optional(
        "carried", .array(of: .string()),
        "The tables without which these two are computed: their rows are the snapshot's."),
      .required("rows_written", .integer, "The rows of rewritten tables."),
      .required("duration_ms", .integer, "Milliseconds until the receipt was written."),
    ])

  private static let names: [JSONForm.Member] = [
    .required("state", .name(of: State.allCases.map(\.rawValue)), "How far the run got."),
    .required("kind", .name(of: Kind.allCases.map(\.rawValue)), "The kind of the run."),
    .required("command", .orNull(.string()), "The command of an edit; else null."),
    .required(
      "undone", .orNull(.string()), "The snapshot that a rollback went back to; else null."),
    .required(
      "undone_is_obsolete", .boolean,
      "Whether that snapshot is removed because the store equals it."),
    .required("tool", .string(), "The tool and its version."),
    .required("time", .string(), "When the run wrote it, in UTC."),
    .required("store", .string(), "The store's name, without its folder."),
    .required("app", .string(), "The app."),
    .required("from", .string(), "The version before."),
    .required("to", .string(), "The version afterwards."),
  ]

  /// The form of the snapshot's hash.
  static let snapshotForm = JSONForm(
    "The old store with its log folded in.",
    HashAlgorithm.keys + [.required("header", .string(), "Its first 100 bytes, in base64.")],
    rules: [HashAlgorithm.rule])
}

extension Receipt.FileRecord {
  /// The form of a file's identity and hash.
  static let form = JSONForm(
    "A file's identity and hash.",
    [
      .required("device", .string(matching: #"^\+?[0-9]+$"#), "The device, in digits."),
      .required("inode", .string(matching: #"^\+?[0-9]+$"#), "The inode, in digits."),
    ] + HashAlgorithm.keys,
    rules: [HashAlgorithm.rule])
}

extension Receipt.Companions {
  /// The form of the files beside the main file, before the run and after it.
  static let pairForm = JSONForm(
    "The files beside the main file.",
    [
      .required("before", .object(form), "Before the run."),
      .required("after", .object(form), "After the run."),
    ])

  /// The form of the files beside the main file.
  static let form = JSONForm(
    "The hashes of files beside the main file.",
    [
      .required("wal", .orNull(.string()), "That of the write-ahead log; null if there was none."),
      .required("journal", .orNull(.string()), "That of the rollback journal, or null."),
      .required("external", .dictionary(of: .string()), "Those of external data files, by name."),
    ])
}

extension HashAlgorithm {
  /// The rule that a receipt has a hash of a file.
  fileprivate static let rule = JSONForm.Rule.atLeastOne(of: keys.map(\.key))

  /// The keys of a file's hash.
  fileprivate static let keys: [JSONForm.Member] = [
    .optional(xxh128.rawValue, .string(), "The XXH128, in hexadecimal digits."),
    .optional(
      sha256.rawValue, .string(),
      "The SHA-256, in hexadecimal digits; receipts by trial builds have it, some of them alone."),
  ]
}
