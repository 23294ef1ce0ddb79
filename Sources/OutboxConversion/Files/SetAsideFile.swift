package import JSONText
package import Platform
package import SQLite

/// The file of the outbox rows that weren't written, each with its fate, in the snapshot's folder.
///
/// It has JSON lines in the order of keys, and contains no values of the rows. `Files.md` specifies
/// it.
package struct SetAsideFile {
  /// A row with its fate.
  package struct Line: Hashable {
    package let key: Int64
    package let fate: SetAsideRows.Fate
  }

  package static let formatVersion: Int64 = 1

  /// The file.
  package let file: NestedFile

  package init(_ file: NestedFile) { self.file = file }

  /// Writes the rows that ``SetAsideRows`` lists; if it lists no row, writes no file.
  package func write(_ connection: borrowing Connection) throws {
    var rows = try connection.prepare(SetAsideRows.query)
    guard try rows.step() else { return }
    let header = JSONValue.object([
      .init("format_version", .int(Self.formatVersion)),
      .init("entity", .string(QuarantineHeader.entity)),
    ])
    var lines = try LineWriter(file.create(), first: header.text())
    repeat {
      guard let fate = SetAsideRows.Fate(rows) else { continue }
      try lines.append(Line(key: rows.int64(at: 0), fate: fate).text)
    } while try rows.step()
    try lines.synchronize()
  }
}

extension SetAsideFile.Line {
  package var text: String {
    JSONValue.object(
      [.init("key", .int(key)), .init("fate", .string(fate.word))]
        + (fate.other.map { [.init("other", .int($0))] } ?? [])
    ).text()
  }

  package init(parsing line: String) throws(JSONError) {
    let object = try JSONNode(parsing: line).object(allowing: ["key", "fate", "other"])
    key = try object.required("key").integer
    let word = try object.required("fate")
    switch try word.string {
    case "cancelled": fate = .cancelled(with: try object.required("other").integer)
    case "folded": fate = .folded(into: try object.required("other").integer)
    default: fate = .quarantined(try word.name(as: QuarantineReason.self))
    }
  }
}

/// Reads the lines after the first of a set-aside file or of a quarantine.
///
/// Yields nothing if the file is missing.
package struct SetAsideReader: ~Copyable {
  private var lines: LineReader?

  /// Opens a file that may be missing.
  package static func open(_ file: NestedFile?) throws -> SetAsideReader {
    guard let file, try file.statusIfPresent() != nil else { return SetAsideReader(nil) }
    var lines = LineReader(try file.open())
    guard let first = try lines.next() else { throw lines.error("the file is empty") }
    let header = try JSONNode(parsing: first, file: file.path).object
    try header.checkFormatVersion(SetAsideFile.formatVersion)
    return SetAsideReader(lines)
  }

  private init(_ lines: consuming LineReader?) { self.lines = lines }

  /// Reads the next line; `nil` after the last.
  ///
  /// - Parameters:
  ///   - name: The name of a line's content, for errors.
  ///   - read: A closure that parses a line.
  /// - Returns: The parsed line.
  /// - Throws: A `JSONError` with the line's number, without the cause, which could repeat a value.
  package mutating func next<Line>(
    _ name: String, _ read: (String) throws(JSONError) -> Line
  ) throws -> Line? {
    guard let text = try lines?.next() else { return nil }
    do throws(JSONError) {
      return try read(text)
    } catch {
      throw lines?.error("not a \(name)") ?? error
    }
  }
}
