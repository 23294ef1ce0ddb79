import JSONText
import Platform
import OutboxConversion
import StoreProof

/// Reads the rows of an `expected.txt`, one at a time.
struct ExpectedRows: ~Copyable {
  /// The app and version that the file's first line names, as `APP VERSION`.
  let version: String

  private var lines: LineReader

  /// The first line of the next row, if it has been read already.
  private var pending: String?

  /// The number of the first line of the last row that was read.
  private var rowLine = 1

  /// Opens the file and reads its first line.
  ///
  /// - Throws: A `JSONError` if the line isn't one of this format, or a `SystemError`.
  init(_ path: String) throws {
    var lines = LineReader(try FileDescriptor(opening: path))
    let title = try lines.next() ?? ""
    let prefix = RowText.titlePrefix + "1: "
    guard title.hasPrefix(prefix) else {
      throw lines.error(
        title.hasPrefix(RowText.titlePrefix)
          ? "unsupported format version; this tool reads version 1"
          : "the first line isn't '\(prefix)APP VERSION'; create the file with "
            + "'outbox-migrate fixture check --record'")
    }
    version = String(title.dropFirst(prefix.count))
    self.lines = lines
  }

  /// Returns the next row; `nil` at the end.
  mutating func next() throws -> RowText? {
    var first = pending
    pending = nil
    while first?.isEmpty ?? true {
      first = try lines.next()
      if first == nil { return nil }
    }
    guard let first, var row = Self.row(first) else {
      throw lines.error(
        "expected a row, such as 'Entity/1', or a property, such as '  name: value'")
    }
    rowLine = lines.number
    while let line = try lines.next() {
      guard line.hasPrefix("  ") else {
        pending = line
        break
      }
      guard let colon = line.firstRange(of: ": ") else {
        throw lines.error("the property has no value; write '  name: value'")
      }
      let name = line[line.index(line.startIndex, offsetBy: 2)..<colon.lowerBound]
      row.properties.append(
        RowText.Property(name: String(name), value: String(line[colon.upperBound...])))
    }
    return row
  }

  /// Returns an error at the last row that was read.
  func error(_ sentence: String) -> JSONError { lines.error(sentence, at: rowLine) }

  private static func row(_ line: String) -> RowText? {
    guard let slash = line.lastIndex(of: "/"), slash > line.startIndex,
      let key = Int64(line[line.index(after: slash)...])
    else { return nil }
    return RowText(entity: String(line[..<slash]), key: key, properties: [])
  }
}
