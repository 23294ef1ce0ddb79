import Platform

/// Everything about the files of a folder that a reading command must leave as it was.
package func fingerprint(of folder: TemporaryDirectory) throws -> [String] {
  try folder.names.map { name in
    let status = try FileStatus(of: folder.path(name), followingLinks: false)
    let hash =
      status.kind == .directory ? "" : Hexadecimal.encode(try sha256(ofFile: folder.path(name)))
    return "\(name) \(status.size) \(status.modified.text).\(status.modified.nanoseconds) \(hash)"
  }
}
