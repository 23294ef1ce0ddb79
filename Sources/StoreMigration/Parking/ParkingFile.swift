import JSONText
import Platform
import OutboxConversion

/// A file of parked values, which wait for a version that has a place for them.
///
/// It consists of JSON lines and is readable only by its owner. The first line names the versions;
/// each other line is a row. `Files.md` specifies the format.
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

  /// Writes all buffered lines, and syncs the file.
  mutating func synchronize() throws(SystemError) {
    try lines.synchronize()
  }
}

/// The first line of a file of parked values.
struct ParkingHeader: Hashable {
  /// The app.
  let app: String

  /// The version that the values belong to.
  let from: String

  /// The version that the store was rolled back to.
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
