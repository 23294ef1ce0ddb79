package import JSONText
import Platform
import StoreModel

/// A folder's schema and migration files, each parsed separately.
package struct MigrationFileSet: Sendable {
  /// A file: its path relative to the folder, and its content.
  package typealias File = (path: String, bytes: [UInt8])

  /// The folder as typed; `nil` for the files that are part of the tool.
  package let folder: String?

  package let checksums: ChecksumFile?
  package private(set) var digests: [(path: String, digest: String)] = []
  package private(set) var versions: [(path: String, version: ModelVersion)] = []
  package private(set) var migrations: [(path: String, migration: Migration)] = []
  package private(set) var mistakes: [JSONError] = []
  private var editions: [AbandonedEdition] = []

  /// Parses files.
  ///
  /// - Parameters:
  ///   - folder: The folder as typed; `nil` for the files that are part of the tool.
  ///   - files: The `.json` files and the checksums.
  package init(folder: String?, _ files: [File]) {
    self.folder = folder
    checksums = files.first { $0.path == ChecksumFile.name }
      .map { ChecksumFile(parsing: $0.bytes) }
    var converters: [ConverterFile] = []
    // The converters first, because steps name them.
    let ordered =
      files.filter { $0.path.hasSuffix(ConverterFile.suffix) }
      + files.filter { $0.path.hasSuffix(".json") && !$0.path.hasSuffix(ConverterFile.suffix) }
    digests = files.filter { $0.path.hasSuffix(".json") }
      .map { ($0.path, Hexadecimal.encode(sha256($0.bytes))) }
    for file in ordered {
      do throws(JSONError) {
        try read(file, &converters)
      } catch {
        mistakes.append(error)
      }
    }
  }

  /// The files that are part of the tool.
  package static var bundled: MigrationFileSet {
    MigrationFileSet(folder: nil, EmbeddedFile.all.map { (path: $0.path, bytes: $0.bytes) })
  }

  /// The number of schema and migration files.
  package var count: Int { digests.count }

  /// The versions, migrations and editions of the files that can be read.
  package var catalog: Catalog {
    Catalog(
      versions: versions.map(\.version), migrations: migrations.map(\.migration),
      abandonedEditions: editions)
  }

  private mutating func read(
    _ file: File, _ converters: inout [ConverterFile]
  ) throws(JSONError) {
    let place = place(of: file.path)
    if file.path.hasSuffix(".schema.json") {
      let schema = try SchemaFile(parsing: file.bytes, file: place)
      versions.append((file.path, ModelVersion(schema)))
    } else if file.path.hasSuffix(".edition.json") {
      editions.append(try AbandonedEdition(parsing: file.bytes, file: place))
    } else if file.path.hasSuffix(ConverterFile.suffix) {
      converters.append(try ConverterFile(parsing: file.bytes, file: place))
    } else {
      let names = ConverterNames.bundled.adding(converters)
      migrations.append(
        (file.path, try Migration(parsing: file.bytes, file: place, converters: names)))
    }
  }

  /// Returns the path of a file as a user would type it.
  package func place(of path: String) -> String {
    guard let folder else { return path }
    return folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
  }
}
