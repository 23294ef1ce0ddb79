import Foundation
import Migrations
import Platform
import StoreModel
import SwiftModels
import TestSupport
import Testing

/// Both apps' versions in Swift give the hashes of the bundled schema files.
@Suite struct BundledSourceTests {
  private static let apps =
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path + "/Fixtures/swift"

  @Test(arguments: [("FitIQ", 11), ("Lume", 7)])
  func `an app's source gives the hashes of each version`(app: String, count: Int) throws {
    let folder = "\(Self.apps)/\(app)"
    let names = try FileSystem.list(folder)
    guard let source = try parsed(paths: names.map { "\(folder)/\($0)" }) else { return }
    #expect(source.versions.count == count)
    var entities = 0
    for version in source.versions {
      let name = String(version.name.dropFirst("Schema".count))
      let bundled = try #require(Catalog.bundled.version(name, of: app)).model
      let model = source.model(of: version)
      #expect(model.lines(.error, .unproven) == [], "\(name)")
      #expect(model.model.versionIdentifiers == bundled.versionIdentifiers, "\(name)")
      let hashes = VersionHashes(model.model)
      #expect(hashes == VersionHashes(bundled), "\(name)")
      // Beyond the hashes, all properties are equal except default values.
      for (read, expected) in zip(model.model.withoutDefaults, bundled.withoutDefaults) {
        #expect(read == expected, "\(name)")
      }
      entities += hashes.entities.count
    }
    #expect(entities == (app == "FitIQ" ? 108 : 55))
  }
}

extension Model {
  fileprivate var withoutDefaults: [Property] {
    entities.flatMap(\.properties).map { property in
      guard case .attribute(var attribute) = property else { return property }
      attribute.defaultValue = nil
      return .attribute(attribute)
    }
  }
}
