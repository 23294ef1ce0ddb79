import JSONText
import Platform
import XMLText
import PropertyList
import StoreFormat
package import StoreModel

extension SchemaFile {
  /// Reads the model at a path: a schema file, a model in source, or a compiled one.
  ///
  /// - Throws: A ``ModelSourceError`` if the model can't be read, or if the path names several.
  package init(at model: ModelPath) throws(ModelSourceError) {
    switch model.kind {
    case .schema:
      let bytes = try bytes(at: model.path, limit: JSONNode.defaultMaximumByteCount)
      do throws(JSONError) {
        try self.init(parsing: bytes, file: model.path)
      } catch {
        throw .schema(error)
      }
    case .source:
      try model.refuseVersion()
      let parent = FileSystem.parent(of: model.path)
      let isInBundle = parent.lowercased().hasSuffix(".xcdatamodeld")
      self = try Self.source(model, at: model.path, app: (isInBundle ? parent : model.path).stem)
    case .sourceBundle:
      let name = try ModelBundle(sourceAt: model.path).name(of: model.version)
      self = try Self.source(model, at: "\(model.path)/\(name)", app: model.path.stem)
    case .compiled:
      try model.refuseVersion()
      self = try Self.compiled(model, at: model.path, app: model.path.stem, info: nil)
    case .compiledBundle:
      let bundle = try ModelBundle(compiledAt: model.path)
      let name = try bundle.name(of: model.version)
      self = try Self.compiled(
        model, at: "\(model.path)/\(name)", app: model.path.stem, info: bundle.info)
    case .optimized:
      throw .malformed(SourcePlace(model.path), reason: OptimizedModel.advice)
    }
  }

  /// Reads the XML of an `.xcdatamodel`, or its file 'contents'.
  private static func source(
    _ model: ModelPath, at path: String, app: String
  ) throws(ModelSourceError) -> SchemaFile {
    let isFolder = (try? FileStatus(of: path).kind) == .directory
    let file = isFolder ? "\(path)/contents" : path
    if isFolder, (try? FileSystem.exists(file)) == false {
      throw .malformed(
        SourcePlace(path),
        reason: "there is no 'contents' in it; open the model in Xcode 4 or later, and save it")
    }
    var reader = XMLModelReader(file: file)
    let read = try reader.model(bytes(at: file, limit: XMLElement.maximumByteCount))
    return SchemaFile(
      app: app, version: path.stem, model: read,
      origin: ModelOrigin(path: model.text, notes: reader.notes))
  }

  /// Reads a `.mom`, with the hashes that a `VersionInfo.plist` has for it.
  private static func compiled(
    _ model: ModelPath, at path: String, app: String, info: PropertyList?
  ) throws(ModelSourceError) -> SchemaFile {
    var read = try Model(compiled: bytes(at: path, limit: XMLElement.maximumByteCount), path)
    if let recorded = info?["NSManagedObjectModel_VersionHashes"]?[path.stem]?.dictionaryValue {
      read.record(VersionHashes(entities: recorded.compactMapValues(\.dataValue)))
      let hashes = VersionHashes(read).entities
      for (name, hash) in hashes.sorted(by: { $0.key < $1.key })
      where recorded[name]?.dataValue != hash {
        throw .malformed(
          SourcePlace("\(model.path)/VersionInfo.plist"),
          reason: "the hash of '\(name)' isn't that of '\(FileSystem.name(of: path))'; one of the "
            + "two files is damaged or of another build")
      }
    }
    return SchemaFile(
      app: app, version: path.stem, model: read,
      origin: ModelOrigin(path: model.text))
  }
}

extension Model {
  /// Decodes a compiled model.
  fileprivate init(compiled bytes: [UInt8], _ path: String) throws(ModelSourceError) {
    let place = SourcePlace(path)
    guard !bytes.starts(with: OptimizedModel.signature) else {
      throw .malformed(place, reason: OptimizedModel.advice)
    }
    do {
      var model = try Model(KeyedArchive(PropertyList(binary: bytes, budget: 2_000_000)))
      // A compiled model has every key that the decoder knows SwiftData's archives by.
      model.dialect = .coreData
      self = model
    } catch {
      throw .malformed(place, reason: "not a compiled model: \(error)")
    }
  }
}

extension ModelPath {
  /// Throws if the path of a single model names a version.
  fileprivate func refuseVersion() throws(ModelSourceError) {
    guard let version else { return }
    throw .ambiguous("'\(path)' is one version; leave out '#\(version)'")
  }
}

/// Reads a file of a model.
private func bytes(at path: String, limit: Int) throws(ModelSourceError) -> [UInt8] {
  do throws(SystemError) {
    return try FileSystem.read(path, limit: limit)
  } catch {
    guard !error.isOfSize else {
      throw .malformed(SourcePlace(path), reason: "it is larger than \(limit >> 20) MiB")
    }
    throw ModelSourceError(error, at: path)
  }
}
