package import JSONText
package import Platform

/// The rates of earlier migrations on a machine, in a file that the user names.
///
/// A rate is one of bytes of the old store in a time, for a way from one version of an app to
/// another. Later runs count more: sums are halved after ``runLimit`` runs.
package struct MeasuredRates: Hashable, Sendable {
  /// The earlier runs from one version of an app to another.
  package struct Rate: Hashable, Sendable {
    package let app: String
    package let from: String
    package let to: String

    /// The number of runs.
    package fileprivate(set) var runs: Int64

    /// The bytes of their stores, and the time that they took together in milliseconds.
    fileprivate var bytes: Int64
    fileprivate var milliseconds: Int64

    /// Returns the time that a store of some bytes is expected to take, in milliseconds.
    package func expected(bytes: Int64) -> Int64 {
      let time = Double(max(0, bytes)) * Double(milliseconds) / Double(max(1, self.bytes))
      return Int64(exactly: time.rounded()) ?? .max
    }
  }

  /// The number of runs from which on earlier ones count half.
  fileprivate static let runLimit: Int64 = 16

  /// The most bytes of one store: the largest database of SQLite has fewer.
  fileprivate static let mostBytes: Int64 = 1 << 48

  /// The longest plausible time for a byte: with it, a store of 1 MB takes three hours.
  fileprivate static let mostMillisecondsPerByte: Int64 = 10

  private static let formatVersion: Int64 = 1

  /// The maximum size of a file in bytes: 1 MiB.
  private static let maximumByteCount = 1 << 20

  private var rates: [Rate] = []

  package init() {}

  /// Reads a file; a missing one has no rates.
  ///
  /// - Throws: A `SystemError` if it can't be read, or a `JSONError` if it is malformed.
  package init(file path: String) throws {
    self.init()
    guard try FileSystem.exists(path) else { return }
    let bytes = try FileSystem.read(path, limit: Self.maximumByteCount)
    self = try Self(parsing: bytes, file: path)
  }

  /// Returns whether a file that was read may be replaced: a regular one, which isn't part of a store.
  package static func mayReplace(_ path: String) -> Bool {
    KeptFile(path: path).mayBeReplaced { _ in true }
  }

  /// Parses the contents of a file, strictly.
  package init(parsing bytes: [UInt8], file: String? = nil) throws(JSONError) {
    let object = try JSONNode(parsing: bytes, file: file)
      .object(allowing: ["format_version", "rates"])
    try object.checkFormatVersion(Self.formatVersion)
    for node in try object.required("rates").array {
      let rate = try Rate(node)
      guard self.rate(rate.app, from: rate.from, to: rate.to) == nil else {
        throw node.error("there is a second rate from '\(rate.from)' to '\(rate.to)'")
      }
      rates.append(rate)
    }
  }

  /// Returns the rate from one version of an app to another; `nil` if none was measured.
  package func rate(_ app: String, from: String, to: String) -> Rate? {
    rates.first { $0.app == app && $0.from == from && $0.to == to }
  }

  /// Adds a run; one without bytes, of no time at all or of an implausible one has no rate.
  package mutating func add(
    _ app: String, from: String, to: String, bytes: Int64, milliseconds: Int64
  ) {
    guard bytes > 0, bytes <= Self.mostBytes, milliseconds > 0,
      milliseconds <= bytes * Self.mostMillisecondsPerByte
    else { return }
    var rate =
      rate(app, from: from, to: to)
      ?? Rate(app: app, from: from, to: to, runs: 0, bytes: 0, milliseconds: 0)
    if rate.runs >= Self.runLimit {
      rate.runs /= 2
      rate.bytes /= 2
      rate.milliseconds /= 2
    }
    rate.runs += 1
    rate.bytes += bytes
    rate.milliseconds += milliseconds
    rates.removeAll { $0.app == app && $0.from == from && $0.to == to }
    rates.append(rate)
  }

  /// The contents of a file, sorted.
  package var text: String {
    let sorted = rates.sorted { ($0.app, $0.from, $0.to) < ($1.app, $1.from, $1.to) }
    let value: JSONValue = [
      "format_version": .int(Self.formatVersion), "rates": JSONValue(sorted) { $0.json },
    ]
    return value.text(.pretty) + "\n"
  }

  /// Replaces a file with these rates.
  package func write(to path: String) throws(SystemError) {
    try FileSystem.replace(path, with: Array(text.utf8), mode: 0o644)
  }
}

extension MeasuredRates.Rate {
  fileprivate init(_ node: JSONNode) throws(JSONError) {
    let object = try node.object(allowing: ["app", "from", "to", "runs", "bytes", "duration_ms"])
    func number(_ key: String, atMost limit: Int64) throws(JSONError) -> Int64 {
      let node = try object.required(key)
      let number = try node.integer
      guard number > 0, number <= limit else {
        throw node.error("'\(key)' is \(number); it has to be from 1 to \(limit)")
      }
      return number
    }
    let runs = try number("runs", atMost: MeasuredRates.runLimit)
    let bytes = try number("bytes", atMost: runs * MeasuredRates.mostBytes)
    self.init(
      app: try object.required("app").string, from: try object.required("from").string,
      to: try object.required("to").string, runs: runs, bytes: bytes,
      milliseconds: try number(
        "duration_ms", atMost: bytes * MeasuredRates.mostMillisecondsPerByte))
  }

  fileprivate var json: JSONValue {
    [
      "app": .string(app), "from": .string(from), "to": .string(to), "runs": .int(runs),
      "bytes": .int(bytes), "duration_ms": .int(milliseconds),
    ]
  }
}
