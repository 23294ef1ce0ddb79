import Platform
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// One reader of what strangers wrote, and what must hold of it for any bytes.
///
/// `make fuzz` runs each on bytes that it makes up; the tests run each on the seeds, on what fuzzing has
/// found before, and on random changes of both.
struct FuzzTarget: Sendable {
  /// The name by which it is chosen.
  let name: String

  /// Bytes to begin with.
  let seeds: @Sendable () throws -> [[UInt8]]

  /// Reads the bytes and returns what is wrong with what came out; nil where all is well.
  ///
  /// A reader that refuses the bytes is well.
  let problem: @Sendable ([UInt8]) -> String?

  /// The seeds and the bytes of the files in a folder.
  func inputs(in corpus: String) throws -> [[UInt8]] {
    let folder = "\(corpus)/\(name)"
    let names = try FileSystem.exists(folder) ? try FileSystem.list(folder) : []
    return try seeds() + names.map { try FileSystem.read("\(folder)/\($0)") }
  }
}

extension FuzzTarget {
  /// Every target.
  static let all: [FuzzTarget] = [
    .payload, .json, .list, .archive, .cache, .source, .migration, .schema, .plan, .receipt,
    .row, .store, .outbox, .forecast, .run,
  ]

  /// Returns the target of a name.
  static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}
