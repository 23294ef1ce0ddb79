package import Platform

extension TemporaryDirectory {
  /// Creates the folders of the external data of a store `default.store`, and returns the inner one.
  package func createExternalData() throws(SystemError) -> String {
    let folder = ".default_SUPPORT/_EXTERNAL_DATA"
    for name in [".default_SUPPORT", folder] {
      try FileSystem.createDirectory(path(name), mode: 0o755)
    }
    return path(folder)
  }
}
