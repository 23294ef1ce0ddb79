import StoreFormat
package import JSONText
import Platform
import Migrations

extension PlanFile {
  /// The text of the file.
  package var text: String {
    JSONValue.object(content + [.init("seal", .string(contentSeal))]).text(.pretty) + "\n"
  }

  /// The SHA-256 of the file's content without the seal.
  var contentSeal: String {
    Hexadecimal.encode(sha256(Array(JSONValue.object(content).text().utf8)))
  }

  private var content: [JSONValue.Member] {
    [
      .init("format_version", .int(Self.formatVersion)),
      .init("tool", .string(tool)),
      .init("store", .string(store)),
      .init("options", request.json),
      .init("migrations_folder", JSONValue(migrationFolder)),
      .init("files", sources.json),
      .init("data", JSONValue(data.sorted { $0.key < $1.key }) { $1.json(of: $0) }),
      .init("plan", .object(plan.members)),
    ]
  }

  /// What the user asked for, as JSON in plan files and in the output of `show --json`.
  package var options: JSONValue { request.json }

  /// Parses a plan file strictly.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - file: The file's name at the beginning of errors.
  /// - Throws: The first mistake in the file.
  package init(parsing bytes: [UInt8], file: String?) throws(JSONError) {
    let root = try JSONNode(
      parsing: bytes, file: file, maximumByteCount: Self.maximumByteCount)
    let object = try root.document(Self.format)
    tool = try object.required("tool").string
    let name = try object.required("store")
    store = try name.string
    if store.isEmpty || store == "." || store == ".." || store.contains("/")
      || store.utf8.contains(0)
    {
      throw name.error("expected a file name, not a path: a plan names the store beside it")
    }
    request = try MigrationRequest(parsing: object.required("options"))
    migrationFolder = try object.required("migrations_folder").optionalString
    sources = try PlanSources(parsing: object.required("files"))
    let tables = try object.required("data")
    var data: [String: RowSketch] = [:]
    for node in try tables.array {
      let (table, sketch) = try RowSketch.table(parsing: node)
      guard data.updateValue(sketch, forKey: table) == nil else {
        throw node.error("table '\(table)' appears twice")
      }
    }
    self.data = data
    var plan = try Plan(parsing: object.required("plan"))
    plan.blockers = plan.requestBlockers(request)
    self.plan = plan
    seal = try object.required("seal").string
  }

  /// Returns whether a file that begins with some bytes is a plan rather than a store.
  ///
  /// A plan begins with a brace, after optional white space. A byte order mark may precede it: the
  /// parser then reports that mark, instead of the file being read as a store.
  package static func isPlan(beginningWith bytes: [UInt8]) -> Bool {
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    let first = text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return first == UInt8(ascii: "{")
  }
}

extension PlanSources {
  fileprivate var json: JSONValue {
    ["migrations": Self.json(migrations), "schemas": Self.json(schemas)]
  }

  private static func json(_ hashes: [String: String]) -> JSONValue {
    .object(hashes.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) })
  }

  fileprivate init(parsing node: JSONNode) throws(JSONError) {
    let object = try node.object(PlanFile.sourcesForm)
    migrations = try object.required("migrations").stringsByKey
    schemas = try object.required("schemas").stringsByKey
  }
}

extension RowSketch {
  fileprivate func json(of table: String) -> JSONValue {
    [
      "table": .string(table), "rows": .int(rows),
      "sketch": .string(base64Encoded(bytes)),
    ]
  }

  fileprivate static func table(
    parsing node: JSONNode
  ) throws(JSONError) -> (name: String, sketch: RowSketch) {
    let object = try node.object(PlanFile.tableForm)
    let text = try object.required("sketch")
    guard let bytes = base64Decoded(try text.string),
      let sketch = RowSketch(bytes: bytes, rows: try object.required("rows").count)
    else { throw text.error("not a sketch of a table; create a new plan") }
    return (try object.required("table").string, sketch)
  }
}
