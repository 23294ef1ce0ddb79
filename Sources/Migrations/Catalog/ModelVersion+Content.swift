import JSONText
import Platform
import StoreModel

extension ModelVersion {
  /// The schema of a version, parsed on first use, and what is derived from it.
  final class Content: Hashable, Sendable {
    let hashes = Guarded<VersionHashes?>(nil)
    let modelCache = Guarded<[UInt8]?>(nil)
    private let parsed: Guarded<SchemaFile?>

    /// The embedded schema file; `nil` if the schema was given.
    private let file: EmbeddedFile?

    init(_ schema: SchemaFile) {
      parsed = Guarded(schema)
      file = nil
    }

    init(_ file: EmbeddedFile) {
      parsed = Guarded(nil)
      self.file = file
    }

    var isEmbedded: Bool { file != nil }

    /// The schema.
    ///
    /// - Complexity: O(*n*) in the bytes of the embedded file, on first use.
    var schema: SchemaFile {
      parsed.withLock { schema in
        if let schema { return schema }
        let read = read()
        schema = read
        return read
      }
    }

    private func read() -> SchemaFile {
      guard let file else { preconditionFailure("a version has a schema or the file of one") }
      do throws(JSONError) {
        return try SchemaFile(parsing: file.bytes, file: file.path)
      } catch {
        preconditionFailure("the tool was built with a wrong file: \(error)")
      }
    }

    /// Returns whether an embedded file holds all names; `true` for a schema that was given.
    func mayHave(_ names: Set<String>) -> Bool {
      guard let file else { return true }
      return names.allSatisfy { file.holds("\"\($0)\"") }
    }

    static func == (left: Content, right: Content) -> Bool {
      left === right || left.schema == right.schema
    }

    /// Equal contents have versions with equal names, which are hashed.
    func hash(into hasher: inout Hasher) {}
  }
}
