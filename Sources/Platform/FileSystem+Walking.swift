extension FileSystem {
  /// Returns the paths of the regular files in a folder and the folders in it, in byte order.
  ///
  /// Names that begin with a dot are left out, symbolic links aren't followed, and what can't be
  /// read is skipped.
  ///
  /// - Parameters:
  ///   - folder: The path of the folder.
  ///   - depth: The maximum depth; 0 is the folder itself.
  ///   - limit: The maximum number of names that are visited.
  ///   - skipped: The endings of folders that aren't visited.
  /// - Returns: The paths, which begin with the folder's.
  package static func files(
    below folder: String, depth: Int, limit: Int = 20_000, skippingFolders skipped: [String] = []
  ) -> [String] {
    var walk = Walk(rest: limit, skipped: skipped)
    walk.visit(folder, depth: depth)
    return walk.files
  }
}

/// The files that were found so far.
private struct Walk {
  /// The number of names that may still be visited.
  var rest: Int
  let skipped: [String]
  var files: [String] = []

  mutating func visit(_ folder: String, depth: Int) {
    for name in (try? FileSystem.list(folder)) ?? [] where !name.hasPrefix(".") {
      rest -= 1
      guard rest >= 0 else { return }
      let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
      switch (try? FileStatus.ifPresent(at: path, followingLinks: false))??.kind {
      case .directory:
        let isSkipped = skipped.contains { name.hasSuffix($0) }
        if !isSkipped, depth > 0 { visit(path, depth: depth - 1) }
      case .regular: files.append(path)
      case .symbolicLink, .other, nil: break
      }
    }
  }
}
