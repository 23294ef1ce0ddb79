import JSONText
import Platform
import Migrations
import RowRewriting
import OutboxConversion

/// A file of values that wait beside a store for a version that has a place for them.
///
/// JSON lines, readable for the owner alone: the first names the versions, each other a row. `Files.md`
/// specifies it.
struct ParkingFile: ~Copyable {
  static let formatVersion: Int64 = 1

  /// The lines written, besides the first.
  private(set) var count = 0
  private var lines: LineWriter

  /// Begins a file.
  init(creating file: NestedFile, for header: ParkingHeader) throws(SystemError) {
    lines = LineWriter(try file.create(), first: header.line)
  }

  mutating func append(_ row: ParkedRow) throws(SystemError) {
    try lines.append(row.line)
    count += 1
  }

  /// Brings everything to the disk.
  mutating func synchronize() throws(SystemError) {
    try lines.synchronize()
  }
}

/// What the first line of a file of parked values says.
struct ParkingHeader: Hashable {
  /// The app.
  let app: String

  /// The version that the values are of.
  let from: String

  /// The version that the store went back to.
  let to: String

  var line: String {
    JSONValue.object([
      .init("format_version", .int(ParkingFile.formatVersion)), .init("app", .string(app)),
      .init("from", .string(from)), .init("to", .string(to)),
    ]).text()
  }

  init(app: String, from: String, to: String) {
    self.app = app
    self.from = from
    self.to = to
  }

  init(parsing text: String, file: String?) throws(JSONError) {
    let object = try JSONNode(parsing: Array(text.utf8), file: file)
      .object(allowing: ["format_version", "app", "from", "to"])
    try object.checkFormatVersion(ParkingFile.formatVersion)
    app = try object.required("app").string
    from = try object.required("from").string
    to = try object.required("to").string
  }
}
