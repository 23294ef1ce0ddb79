import JSONText
import Platform

/// An app in a catalog.
///
/// Embedded files are parsed on first use. A store belongs to one app, and parsing the files of the
/// other app would delay every start. Schema files are parsed one by one.
final class CatalogedApp: Sendable {
  /// The app's name, in lower case.
  package let name: String

  /// The embedded files; empty if the app was created from a catalog.
  private let files: [EmbeddedFile]
  private let content: Guarded<AppCatalog?>

  /// Creates an app from its catalog.
  package init(name: String, _ content: AppCatalog) {
    self.name = name
    files = []
    self.content = Guarded(content)
  }

  /// Creates an app from embedded files, which are parsed on first use.
  ///
  /// - Parameters:
  ///   - name: The app's name in lower case, which is the name of its folder.
  ///   - files: The app's embedded files.
  package init(name: String, files: [EmbeddedFile]) {
    self.name = name
    self.files = files
    content = Guarded(nil)
  }

  /// The app's versions, migrations and abandoned editions.
  ///
  /// - Complexity: O(*n*) in the bytes of the app's files, on first use.
  package var catalog: AppCatalog {
    content.withLock { content in
      let catalog = content ?? read()
      content = catalog
      return catalog
    }
  }

  /// Returns whether the app may have a model with these entities, without parsing its files.
  package func mayHave(entities names: some Sequence<String>) -> Bool {
    files.isEmpty
      || names.allSatisfy { name in
        files.contains { $0.holds("\"\(name)\"") }
      }
  }

  private func read() -> AppCatalog {
    do throws(JSONError) {
      let isSchema = { (file: EmbeddedFile) in file.path.hasSuffix(".schema.json") }
      // Embedded converters are known by their names, without their files.
      let others = files.filter { !isSchema($0) && !$0.path.hasSuffix(ConverterFile.suffix) }
        .map { ($0.path, $0.bytes) }
      guard let known = try Catalog(files: others).catalog(of: name),
        let app = known.migrations.first?.app
      else {
        preconditionFailure(
          "the tool was built with a folder of another name than its app's: \(name)")
      }
      return AppCatalog(
        versions: files.filter(isSchema).map { ModelVersion($0, app: app) },
        migrations: known.migrations, abandonedEditions: known.abandonedEditions)
    } catch {
      preconditionFailure("the tool was built with a wrong file: \(error)")
    }
  }
}
