import JSONText
import Platform
import StoreFormat
import StoreModel
package import Migrations
import StoreProof

/// A folder with a store, the options of its migration, and the rows that are expected after it.
///
/// `Files.md` is the specification. Reading or checking the folder doesn't change it.
package struct FixtureFolder: Hashable, Sendable {
  /// The name of the file with the options of the migration.
  static let optionsName = "options.json"

  /// The name of the file with the expected rows.
  static let expectedName = "expected.txt"

  /// The path as typed, or as found below the typed one.
  package let path: String

  /// The name of the store's main file.
  package let storeName: String

  /// The migration that the options ask for.
  package let request: MigrationRequest

  /// The path of the store's main file.
  package var store: String { "\(path)/\(storeName)" }

  /// The path of the file with the expected rows.
  package var expected: String { "\(path)/\(Self.expectedName)" }

  /// The path of recorded rows before they replace the expected ones.
  var draft: String { expected + ".new" }
}

extension FixtureFolder {
  /// Reads a folder, except its expected rows.
  ///
  /// - Throws: A ``FixtureFolderError`` if the folder doesn't conform to `Files.md`.
  package init(_ path: String) throws(FixtureFolderError) {
    let stores = try Self.storeNames(among: Self.list(path), in: path)
    guard let store = stores.first else { throw .noStore(path) }
    guard stores.count == 1 else { throw .severalStores(path, names: stores) }
    self.init(path: path, storeName: store, request: try Self.request(in: path))
  }

  /// Returns the folders of fixtures at a path: the path itself, or else those directly in it.
  ///
  /// A folder is a fixture if it contains a store, options or expected rows, or if it is an empty
  /// folder in the path. If some of the files are missing, reading the folder throws.
  ///
  /// - Throws: A ``FixtureFolderError`` if there is no folder, or no fixture in it.
  package static func paths(at path: String) throws(FixtureFolderError) -> [String] {
    let path = path.withoutSlashes
    let names = try list(path)
    if try holdsFixture(names, in: path) { return [path] }
    var found: [String] = []
    for name in names where !name.hasPrefix(".") {
      let inner = path == "/" ? "/\(name)" : "\(path)/\(name)"
      guard try kind(of: inner) == .directory else { continue }
      let files = try list(inner).filter { !$0.hasPrefix(".") }
      let isFixture = try holdsFixture(files, in: inner)
      if files.isEmpty || isFixture { found.append(inner) }
    }
    if found.isEmpty { throw .noFixtures(path) }
    return found
  }

  private static func holdsFixture(
    _ names: [String], in path: String
  ) throws(FixtureFolderError) -> Bool {
    if names.contains(where: { $0 == optionsName || $0 == expectedName }) { return true }
    return try !storeNames(among: names, in: path).isEmpty
  }

  /// The files with the names of stores; a folder may have such a name, too.
  private static func storeNames(
    among names: [String], in path: String
  ) throws(FixtureFolderError) -> [String] {
    var stores: [String] = []
    for name in names where name.isStoreName {
      if try kind(of: "\(path)/\(name)") != .directory { stores.append(name) }
    }
    return stores
  }

  private static func list(_ path: String) throws(FixtureFolderError) -> [String] {
    guard let kind = try kind(of: path) else { throw .noFolder(path) }
    guard kind == .directory else { throw .notAFolder(path) }
    do {
      return try FileSystem.list(path)
    } catch {
      throw .system(error)
    }
  }

  private static func kind(of path: String) throws(FixtureFolderError) -> FileKind? {
    do {
      return try FileStatus.ifPresent(at: path)?.kind
    } catch {
      throw .system(error)
    }
  }
}

extension FixtureFolder {
  /// Reads `options.json` as strictly as migration files.
  private static func request(in path: String) throws(FixtureFolderError) -> MigrationRequest {
    let file = "\(path)/\(optionsName)"
    guard let bytes = try contents(of: file) else { throw .noOptions(path) }
    do {
      let object = try JSONNode(parsing: bytes, file: file)
        .object(allowing: ["to", "user_id", "rows", "accept_data_loss"])
      let target = object.optional("to")
      let name = try target?.string
      return MigrationRequest(
        target: name,
        schema: name?.hasSuffix(".json") == true ? try target.map(Self.schema(beside: path)) : nil,
        userID: try object.optional("user_id")?.string,
        rows: try object.optional("rows")?.name(as: MigrationRequest.Rows.self) ?? .documented,
        acceptedLosses: try object.optional("accept_data_loss")?.strings ?? [])
    } catch let error as JSONError {
      throw .file(error)
    } catch let error as SystemError {
      throw .system(error)
    } catch {
      preconditionFailure("an error of no known kind: \(error)")
    }
  }

  /// Reads a target's schema file, whose path is relative to the folder.
  private static func schema(beside folder: String) -> (JSONNode) throws -> SchemaFile {
    { node in
      let name = try node.string
      let path = name.hasPrefix("/") ? name : "\(folder)/\(name)"
      guard try FileSystem.exists(path) else {
        throw node.error("there is no schema file '\(name)' in the folder; check the path")
      }
      let bytes = try FileSystem.read(path, limit: JSONNode.defaultMaximumByteCount)
      return try SchemaFile(parsing: bytes, file: path)
    }
  }

  private static func contents(of file: String) throws(FixtureFolderError) -> [UInt8]? {
    do {
      return try FileSystem.read(file, limit: JSONNode.defaultMaximumByteCount)
    } catch {
      if error.isNotFound { return nil }
      throw .system(error)
    }
  }
}

extension String {
  fileprivate var isStoreName: Bool {
    !hasPrefix(".") && StoreFiles.endings.contains { hasSuffix($0) }
  }

  fileprivate var withoutSlashes: String {
    var text = self[...]
    while text.count > 1 && text.hasSuffix("/") { text.removeLast() }
    return String(text)
  }
}
