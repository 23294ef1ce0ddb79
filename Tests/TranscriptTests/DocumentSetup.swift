/// What a document's commands need to run: a script for the shell, run before in an empty folder.
///
/// A block without a setup continues in the folder of the block before it.
struct DocumentSetup {
  /// How the block's first line begins.
  let firstLine: String

  let script: String

  /// The setup of a block; `nil` if it continues that of the block before it.
  static func before(_ block: DocumentBlock) -> DocumentSetup? {
    all.first { setup in block.lines.first?.hasPrefix(setup.firstLine) == true }
  }

  /// A journal's store at V1, one at V2, and files that lead from one to the other.
  private static let journal = """
    cp -R "$EXAMPLES/lightweight-migration-drops-data/migrations" seed
    outbox-migrate fixture create Journal V1 old.store --migrations seed
    outbox-migrate fixture create Journal V2 new.store --migrations seed

    """

  /// Sources of an app with two versions.
  private static let swift = """
    mkdir Sources
    cat > Sources/Models.swift <<'END'
    import SwiftData
    enum AppSchemaV7: VersionedSchema {
      static let versionIdentifier = Schema.Version(7, 0, 0)
      static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }
      @Model final class Trip { var title: String = "" }
      @Model final class Stop { var place: String = "" }
    }
    enum AppSchemaV8: VersionedSchema {
      static let versionIdentifier = Schema.Version(8, 0, 0)
      static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }
      @Model final class Trip { @Attribute(originalName: "title") var name: String = "" }
      @Model final class Stop { var place: String = "" }
    }
    @Model final class Trip { var name: String = "" }
    @Model final class Stop { var place: String = "" }
    END
    outbox-migrate fixture create Sources#AppSchemaV7 default.store

    """

  /// A model of Core Data with two versions.
  private static let model = """
    mkdir -p 'App.xcdatamodeld/App 7.xcdatamodel' 'App.xcdatamodeld/App 8.xcdatamodel'
    cat > 'App.xcdatamodeld/App 7.xcdatamodel/contents' <<'END'
    <model userDefinedModelVersionIdentifier=""><entity name="Trip">
    <attribute name="title" optional="YES" attributeType="String"/></entity></model>
    END
    sed 's/name="title"/name="name" elementID="title"/' \\
      'App.xcdatamodeld/App 7.xcdatamodel/contents' > 'App.xcdatamodeld/App 8.xcdatamodel/contents'
    echo '<plist version="1.0"><dict><key>_XCCurrentVersionName</key>
    <string>App 8.xcdatamodel</string></dict></plist>' > App.xcdatamodeld/.xccurrentversion
    outbox-migrate fixture create 'App.xcdatamodeld#App 7' default.store

    """

  private static let lume = "outbox-migrate fixture create lume V6 default.store --rows 20\n"

  private static let all = [
    // README and manual
    DocumentSetup(
      firstLine: "outbox-migrate plan default.store --to Sources",
      script: swift),
    DocumentSetup(
      firstLine: "outbox-migrate status --no-count Fixtures",
      script: lume + """
        cp -R "$FIXTURES" Fixtures
        cp -R "$EXAMPLES/bookshelf/upgrade" Migrations
        cp default.store expected.store
        """),
    DocumentSetup(
      firstLine: "outbox-migrate schema capture Sources --out V8.schema.json", script: swift),
    DocumentSetup(
      firstLine: "outbox-migrate schema capture new/default.store",
      script: model + "mkdir new; outbox-migrate fixture create App.xcdatamodeld new/default.store"),
    // Documentation
    DocumentSetup(
      firstLine: "outbox-migrate status default.store --model App.xcdatamodeld", script: model),
    DocumentSetup(firstLine: "outbox-migrate status default.store", script: lume),
    DocumentSetup(
      firstLine: "cp -R new-unique-id", script: "cp -R \"$EXAMPLES/new-unique-id\" ."),
    DocumentSetup(
      firstLine: "outbox-migrate apply stores/*.store",
      script: lume
        + "mkdir stores; cp default.store stores/1.store; mv default.store stores/2.store"),
    DocumentSetup(
      firstLine: "cd Migrations && sha256sum",
      script: "mkdir Migrations; touch Migrations/V7-V8.json Migrations/V8.schema.json"),
    DocumentSetup(
      firstLine: "sh upgrade.sh",
      script: """
        cp -R "$EXAMPLES/bookshelf/." .
        outbox-migrate fixture create Bookshelf V1 books.store --migrations upgrade
        """),
    DocumentSetup(firstLine: "outbox-migrate schema diff 'App.xcdatamodeld", script: model),
    DocumentSetup(
      firstLine: "outbox-migrate schema capture Sources --out v8.schema.json", script: swift),
    DocumentSetup(firstLine: "outbox-migrate schema swift default.store", script: lume),
    DocumentSetup(firstLine: "mkdir migrations", script: journal),
    DocumentSetup(
      firstLine: "outbox-migrate lint migrations",
      script: journal + "mv seed migrations"),
    DocumentSetup(
      firstLine: "outbox-migrate explain contacts.store",
      script: """
        cp -R "$EXAMPLES/splitting-a-name/." .
        outbox-migrate fixture create Contacts V1 contacts.store --migrations migrations
        """),
    DocumentSetup(
      firstLine: "outbox-migrate fixture anonymise default.store shared.store", script: lume),
    // The guides
    DocumentSetup(
      firstLine: "outbox-migrate status Lume.xcappdata",
      script: """
        mkdir -p 'Lume.xcappdata/AppData/Library/Application Support'
        cd 'Lume.xcappdata/AppData/Library/Application Support'
        outbox-migrate fixture create lume V6 default.store --users 1
        """),
    // The tutorial
    DocumentSetup(
      firstLine: "outbox-migrate schema capture old.store --app Journal",
      script: journal + "mkdir Migrations"),
    DocumentSetup(
      firstLine: "outbox-migrate lint Migrations", script: journal + "mv seed Migrations"),
  ]
}
