import Foundation

/// The directory of the test bundle and the program, or `nil` if the program isn't there.
package let builtPrograms: String? = {
  let bundles = [Bundle.main] + Bundle.allBundles
  let folders = bundles.flatMap { bundle in
    [
      bundle.bundleURL.deletingLastPathComponent(),
      bundle.executableURL?.deletingLastPathComponent(),
    ]
  }
  return folders.compactMap { $0?.path }.first {
    FileManager.default.isExecutableFile(atPath: $0 + "/outbox-migrate")
  }
}()
