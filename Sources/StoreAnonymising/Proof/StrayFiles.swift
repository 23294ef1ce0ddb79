import Platform
import StoreFormat
import StoreModel

extension StoreFiles {
  /// Returns what is in the folder of a result's external data and isn't a file of it.
  ///
  /// Such a file is a regular one in `_EXTERNAL_DATA`, with a UUID as its name. Others are counted
  /// by folder: their names may be data.
  ///
  /// - Throws: A ``SystemError`` if a folder can't be read.
  /// - Complexity: O(*n*) in the number of files.
  func strayFiles() throws -> [LeftTrace] {
    let support = supportFolderName
    let folder = try openFolder()
    guard let status = try folder.statusIfPresent(of: support) else { return [] }
    guard status.kind == .directory else {
      return [LeftTrace(kind: .file, place: support, count: 1)]
    }
    let around = try folder.directory(support)
    let others = try around.countOfNames { name in
      try name != "_EXTERNAL_DATA" || around.status(of: name).kind != .directory
    }
    var traces: [LeftTrace] = []
    if others > 0 { traces.append(LeftTrace(kind: .file, place: support, count: others)) }
    guard try around.statusIfPresent(of: "_EXTERNAL_DATA")?.kind == .directory else {
      return traces
    }
    let data = try around.directory("_EXTERNAL_DATA")
    let strays = try data.countOfNames { name in
      try uuidBytes(name) == nil || data.status(of: name).kind != .regular
    }
    if strays > 0 { traces.append(LeftTrace(kind: .file, place: "_EXTERNAL_DATA", count: strays)) }
    return traces
  }
}

extension Directory {
  /// Counts the names that are so; names that aren't UTF-8 count as one.
  fileprivate func countOfNames(
    where isSo: (String) throws -> Bool
  ) throws -> Int {
    var count = 0
    for name in try listText() where try isSo(name) { count += 1 }
    // Reading all names fails for one that isn't UTF-8, and for nothing else that just succeeded.
    if (try? list()) == nil { count += 1 }
    return count
  }
}
