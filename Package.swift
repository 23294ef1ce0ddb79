// swift-tools-version: 6.2

import PackageDescription

let fuzzDependencies: [Target.Dependency] = [
  "OutboxConversion", "StoreProof",
  "JSONText", "MigrationAuthoring", "Migrations", "ModelSource", "OutboxFormat", "Platform",
  "Processes",
  "PropertyList", "RowInspection", "RowRewriting", "SQLite",
  "StoreAccess", "StoreExchange", "StoreFixtures", "StoreFormat", "StoreMigration", "StoreModel",
  "TestSupport", "XMLText",
]

/// Returns the name of a library's pkg-config file, or `nil` on Darwin, whose SDKs have the library.
///
/// Homebrew's flags would be for another version, and for macOS when an app is built for iOS.
func inSDK(_ name: String) -> String? {
  #if canImport(Darwin)
    nil
  #else
    name
  #endif
}

// Xcode puts a library's privacy manifest into the app's bundle. Elsewhere, a resource would only add code to find it.
#if canImport(Darwin)
  let (privacyManifest, unused): ([Resource], [String]) = ([.copy("PrivacyInfo.xcprivacy")], [])
#else
  let (privacyManifest, unused): ([Resource], [String]) = ([], ["PrivacyInfo.xcprivacy"])
#endif

let package = Package(
  name: "outbox-migrate",
  platforms: [.macOS(.v26), .iOS(.v26)],
  products: [
    .executable(name: "outbox-migrate", targets: ["outbox-migrate"]),
    .executable(name: "outbox-deliver", targets: ["outbox-deliver"]),
    .library(name: "OutboxCore", targets: ["OutboxCore"]),
    .library(name: "OutboxStore", targets: ["OutboxStore", "WorkoutTemplates"]),
    .library(name: "OutboxTesting", targets: ["OutboxTesting"]),
    .library(
      name: "StoreMigration",
      targets: ["StoreMigration", "MigrationMonitoring", "Migrations", "StoreProof"]),
    .plugin(name: "migrate-store", targets: ["migrate-store"]),
  ],
  targets: [
    // What the user runs.
    .executableTarget(
      name: "outbox-migrate",
      dependencies: [
        "CheckReports", "CommandLineKit", "FixtureCheck", "InputFiles", "JSONText",
        "MigrationAuthoring", "MigrationMonitoring", "Migrations", "ModelSource",
        "OutboxConversion", "OutboxCore", "OutboxFormat", "OutboxStore", "PlanWriting", "Platform",
        "Processes",
        "RowInspection", "SQLite", "SafeText", "SourceDeclarations", "StoreAnonymising",
        "StoreDiagnosis", "StoreExchange", "StoreFixtures", "StoreFormat", "StoreMigration",
        "StoreModel", "StoreProof", "StoreRepair", "SwiftModels", "SwiftWriting",
        "TemplateImport", "TerminalOutput",
      ]),
    .plugin(
      name: "migrate-store",
      capability: .command(
        intent: .custom(
          verb: "migrate-store", description: "Plans, applies, proves, undoes migrations of stores."
        ),
        permissions: [
          .writeToPackageDirectory(reason: "apply and rollback replace store files of the package")
        ]),
      dependencies: ["outbox-migrate"]),
    .target(
      name: "ReportFormats",
      dependencies: [
        "FixtureCheck", "JSONText", "MigrationAuthoring", "Migrations", "ModelSource",
        "OutboxConversion", "OutboxCore", "OutboxStore", "StoreAnonymising", "StoreDiagnosis",
        "StoreMigration", "StoreModel", "StoreProof", "StoreRepair", "SwiftModels",
      ]),
    .target(
      name: "InputFiles",
      dependencies: [
        "CommandLineKit", "JSONText", "Migrations", "ModelSource", "Platform", "Processes",
        "SQLite", "SafeText", "SourceDeclarations", "StoreMigration", "StoreModel", "SwiftModels",
      ]),
    .target(name: "CheckReports", dependencies: ["JSONText", "SafeText"]),
    .target(name: "CommandLineKit", dependencies: ["JSONText"]),
    .target(
      name: "TerminalOutput",
      dependencies: [
        "JSONText", "MigrationMonitoring", "Platform", "Processes", "SQLite", "SafeText",
        "StoreModel",
      ]),
    .target(name: "SafeText", dependencies: ["JSONText", "Platform", "StoreModel"]),
    .target(
      name: "PlanWriting",
      dependencies: [
        "JSONText", "MigrationMonitoring", "Migrations", "OutboxConversion", "SafeText",
        "StoreMigration", "StoreModel",
        "StoreProof",
      ]),
    .target(name: "SwiftWriting", dependencies: ["JSONText", "Migrations", "StoreModel"]),

    // What it does: recognise, plan, apply, verify, roll back.
    .target(
      name: "MigrationAuthoring",
      dependencies: [
        "JSONText", "Migrations", "RowRewriting", "SQLite", "StoreFormat", "StoreMigration",
        "StoreModel", "StoreProof",
      ]),
    .target(
      name: "MigrationMonitoring",
      dependencies: [
        "JSONText", "Migrations", "Platform", "SafeText", "StoreFormat", "StoreMigration",
        "StoreModel",
      ]),
    .target(
      name: "StoreRepair",
      dependencies: [
        "Migrations", "Platform", "SQLite", "StoreAccess", "StoreDiagnosis", "StoreExchange",
        "StoreFormat", "StoreMigration", "StoreModel", "StoreProof",
      ]),
    .target(
      name: "StoreDiagnosis",
      dependencies: [
        "MigrationAuthoring", "Migrations", "Platform", "SQLite", "StoreAccess", "StoreExchange",
        "StoreFormat", "StoreMigration", "StoreModel",
      ]),
    .target(
      name: "RowInspection",
      dependencies: [
        "JSONText", "Migrations", "OutboxConversion", "OutboxFormat", "Platform", "RowRewriting",
        "SQLite", "StoreAccess", "StoreFormat", "StoreMigration", "StoreModel", "StoreProof",
      ]),
    .target(
      name: "FixtureCheck",
      dependencies: [
        "JSONText", "Migrations", "OutboxConversion", "Platform", "Processes", "RowRewriting",
        "SQLite",
        "StoreFormat", "StoreMigration", "StoreModel", "StoreProof",
      ]),
    .target(
      name: "StoreMigration",
      dependencies: [
        "JSONText", "Migrations", "OutboxConversion", "OutboxCore", "OutboxFormat", "Platform",
        "RowRewriting", "SQLite", "StoreAccess", "StoreExchange", "StoreFormat", "StoreModel",
        "StoreProof",
      ]),
    .target(
      name: "StoreProof",
      dependencies: [
        "JSONText", "Migrations", "OutboxConversion", "OutboxCore", "OutboxFormat", "Platform",
        "RowRewriting",
        "SQLite", "StoreAccess", "StoreFormat", "StoreModel", "StorePages",
      ]),
    .target(
      name: "OutboxConversion",
      dependencies: [
        "JSONText", "Migrations", "OutboxCore", "OutboxFormat", "Platform", "RowRewriting",
        "SQLite",
        "StoreFormat", "StoreModel",
      ]),
    .target(
      name: "StoreExchange",
      dependencies: ["JSONText", "Platform", "SQLite", "StoreAccess", "StoreFormat", "StoreModel"]),
    .target(
      name: "RowRewriting",
      dependencies: [
        "JSONText", "Migrations", "Platform", "SQLite", "StoreFormat", "StoreModel", "StorePages",
      ]),
    .target(
      name: "Migrations",
      dependencies: ["JSONText", "Platform", "SQLite", "StoreFormat", "StoreModel"]),
    .target(
      name: "ModelSource",
      dependencies: [
        "JSONText", "Platform", "PropertyList", "StoreFormat", "StoreModel", "XMLText",
      ]),
    .target(name: "StoreAccess", dependencies: ["Platform", "SQLite", "StoreFormat"]),
    .target(name: "StorePages", dependencies: ["Platform"]),
    .target(
      name: "TemplateImport",
      dependencies: [
        "JSONText", "Platform", "PropertyList", "SQLite", "StoreFormat", "StoreModel",
        "XMLText",
      ]),
    .target(
      name: "StoreAnonymising",
      dependencies: [
        "JSONText", "Migrations", "OutboxCore", "OutboxFormat", "Platform", "PropertyList",
        "SQLite", "StoreAccess", "StoreFormat", "StoreModel",
      ]),
    .target(
      name: "StoreFixtures",
      dependencies: ["Platform", "PropertyList", "SQLite", "StoreFormat", "StoreModel"]),

    // The outbox in a store: its events, what is wrong with them, and how they are sent.
    .target(
      name: "OutboxStore",
      dependencies: [
        "JSONText", "OutboxCore", "OutboxFormat", "Platform", "SQLite", "StoreFormat", "StoreModel",
      ]),

    .target(
      name: "WorkoutTemplates",
      dependencies: ["OutboxCore", "SQLite", "StoreFormat", "StoreModel"]),

    .target(
      name: "OutboxDelivery",
      dependencies: [
        "JSONText", "OutboxCore", "OutboxStore", "Platform", "Processes", "Transfers",
      ]),
    .executableTarget(
      name: "outbox-deliver", dependencies: ["JSONText", "OutboxDelivery", "Platform", "Processes"]),

    // An outbox as both apps write it.
    .target(
      name: "OutboxFormat",
      dependencies: [
        "JSONText", "OutboxCore", "Platform", "SQLite", "StoreFormat", "StoreModel",
      ]),

    // Events, their repository and their processor, for an app that has an outbox, and for its tests.
    .target(name: "OutboxTesting", dependencies: ["OutboxCore"]),
    .target(name: "OutboxCore", dependencies: ["JSONText"]),

    // What it works on: a model, and the file the model is stored in.
    .target(
      name: "StoreFormat",
      dependencies: ["Platform", "PropertyList", "SQLite", "StoreModel"]),
    .target(
      name: "SwiftModels",
      dependencies: ["JSONText", "SourceDeclarations", "StoreModel"]),
    .target(name: "SourceDeclarations", dependencies: ["JSONText"]),
    .target(name: "StoreModel", dependencies: ["JSONText", "Platform"]),
    .target(name: "XMLText", dependencies: ["CExpat", "JSONText", "Platform", "PropertyList"]),
    .target(name: "PropertyList"),
    .target(name: "JSONText"),

    // What the system gives us, made safe.
    .target(name: "SQLite", dependencies: ["CSQLite", "Platform"]),
    .target(
      name: "Platform",
      dependencies: [
        .target(name: "CCrypto", condition: .when(platforms: [.linux])), "CMigrations", "CPlatform",
        .target(name: "CXXHash", condition: .when(platforms: [.linux])), "CZlib",
      ],
      exclude: unused, resources: privacyManifest),
    .target(name: "Transfers", dependencies: ["CTransfers", "Platform"]),
    // The file's name is given on Linux: a link without the version comes only with libcurl's headers.
    .target(
      name: "CTransfers",
      linkerSettings: [
        .linkedLibrary(":libcurl.so.4", .when(platforms: [.linux])),
        .linkedLibrary("curl", .when(platforms: [.macOS])),
      ]),
    .target(name: "Processes", dependencies: ["CProcesses", "Platform"]),
    .target(name: "CProcesses", dependencies: ["CPlatform"]),
    .target(name: "CPlatform"),
    .target(name: "CMigrations", path: "migrations", exclude: ["checksums", "fitiq", "lume"]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: inSDK("sqlite3"), providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: inSDK("zlib"), providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(
      name: "CExpat", pkgConfig: inSDK("expat"), providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(
      name: "CXXHash", pkgConfig: "libxxhash", providers: [.apt(["libxxhash-dev"])]),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),

    // What an app has that migrates its store when it starts. It sees what is public, as the app does.
    .target(
      name: "StoreUpgradeExample", dependencies: ["Migrations", "StoreMigration"],
      path: "Documentation/Examples/app/Sources/StoreUpgrade", packageAccess: false),

    // What holds it together.
    .target(
      name: "TestSupport",
      dependencies: [
        "JSONText", "Migrations", "Platform", "Processes", "PropertyList", "ReportFormats",
        "SQLite",
        "StoreFixtures",
        "StoreFormat", "StoreModel",
      ],
      path: "Tests/TestSupport"),
    .testTarget(
      name: "ArchitectureTests", dependencies: ["TestSupport"]),
    .testTarget(
      name: "CheckReportsTests",
      dependencies: ["CheckReports", "JSONText", "TestSupport", "XMLText"]),
    .testTarget(name: "CommandLineKitTests", dependencies: ["CommandLineKit", "TestSupport"]),
    .testTarget(
      name: "DurabilityTests",
      dependencies: [
        "OutboxConversion", "StoreProof",
        "Platform", "Processes", "SQLite", "Migrations", "RowRewriting", "StoreAccess",
        "StoreMigration",
        "outbox-migrate", "TestSupport",
      ]),
    .testTarget(
      name: "FixtureCheckTests",
      dependencies: [
        "FixtureCheck", "Migrations", "OutboxConversion", "Platform", "Processes", "RowRewriting",
        "SQLite",
        "StoreAccess", "StoreFormat", "StoreMigration", "StoreModel", "StoreProof", "TestSupport",
      ]),
    .testTarget(
      name: "HostileTests", dependencies: fuzzDependencies + ["TerminalOutput", "outbox-migrate"],
      exclude: ["Corpus", "Entry"]),
    .testTarget(name: "JSONTextTests", dependencies: ["JSONText", "TestSupport"]),
    .testTarget(
      name: "MigrationAuthoringTests",
      dependencies: [
        "JSONText", "MigrationAuthoring", "Migrations", "OutboxConversion", "Platform",
        "RowRewriting", "SQLite", "StoreFixtures", "StoreFormat", "StoreMigration", "StoreModel",
        "StoreProof", "TestSupport",
      ]),
    .testTarget(
      name: "MigrationMonitoringTests",
      dependencies: [
        "JSONText", "MigrationMonitoring", "Migrations", "Platform", "StoreFixtures",
        "StoreMigration", "StoreModel", "TestSupport",
      ]),
    .testTarget(
      name: "MigrationsTests",
      dependencies: ["JSONText", "Migrations", "Platform", "SQLite", "StoreModel", "TestSupport"]),
    .testTarget(
      name: "ModelSourceTests",
      dependencies: [
        "ModelSource", "Platform", "SQLite", "StoreFormat", "StoreModel", "TestSupport",
      ]),
    .testTarget(
      name: "OutboxConversionTests",
      dependencies: ["OutboxConversion", "OutboxCore", "OutboxFormat", "StoreModel"]),
    .testTarget(
      name: "OutboxCoreTests",
      dependencies: ["JSONText", "OutboxCore", "OutboxTesting", "TestSupport"]),
    // The documents' code, as an app has it: it sees what is public, by the rules of Swift 5.
    .testTarget(
      name: "DocumentExamplesTests", dependencies: ["OutboxCore", "OutboxStore"],
      packageAccess: false, swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "OutboxStoreTests",
      dependencies: [
        "OutboxCore", "OutboxStore", "OutboxTesting", "SQLite", "StoreFixtures", "StoreFormat",
        "StoreModel", "TestSupport",
      ]),
    .testTarget(
      name: "OutboxDeliveryTests",
      dependencies: [
        "OutboxConversion", "StoreProof",
        "JSONText", "Migrations", "OutboxCore", "OutboxDelivery", "OutboxFormat", "Platform",
        "Processes",
        "RowRewriting", "SQLite", "StoreAccess", "StoreFixtures", "StoreMigration", "StoreModel",
        "TestSupport", "Transfers", "outbox-deliver", "outbox-migrate",
      ],
      exclude: ["server.pem", "server.py"]),
    .testTarget(
      name: "OutboxFormatTests",
      dependencies: ["JSONText", "OutboxFormat", "StoreModel", "TestSupport"]),
    .testTarget(
      name: "PlanWritingTests",
      dependencies: [
        "Migrations", "OutboxConversion", "PlanWriting", "SafeText", "StoreMigration",
        "StoreProof", "TestSupport",
      ]),
    .testTarget(name: "PlatformTests", dependencies: ["Platform", "TestSupport"]),
    .testTarget(name: "PluginTests", dependencies: ["outbox-migrate", "TestSupport"]),
    .testTarget(name: "ProcessesTests", dependencies: ["Platform", "Processes", "TestSupport"]),
    .testTarget(name: "PropertyListTests", dependencies: ["PropertyList", "TestSupport"]),
    .testTarget(
      name: "RowInspectionTests",
      dependencies: [
        "Migrations", "OutboxConversion", "Platform", "RowInspection", "RowRewriting", "SQLite",
        "StoreFixtures", "StoreFormat", "StoreMigration", "StoreModel", "StoreProof", "TestSupport",
      ]),
    .testTarget(
      name: "RowRewritingTests",
      dependencies: ["Migrations", "RowRewriting", "SQLite", "StoreFormat", "TestSupport"]),
    .testTarget(name: "SQLiteTests", dependencies: ["Platform", "SQLite", "TestSupport"]),
    .testTarget(
      name: "StoreAccessTests",
      dependencies: ["Platform", "StoreAccess", "StoreFormat", "TestSupport"]),
    .testTarget(
      name: "StoreRepairTests",
      dependencies: [
        "Migrations", "Platform", "Processes", "SQLite", "StoreDiagnosis", "StoreFormat",
        "StoreMigration", "StoreModel", "StoreRepair", "TestSupport",
      ]),
    .testTarget(
      name: "StoreDiagnosisTests",
      dependencies: [
        "Migrations", "Platform", "SQLite", "StoreDiagnosis", "StoreFormat", "StoreMigration",
        "StoreModel", "TestSupport",
      ]),
    .testTarget(
      name: "StoreAnonymisingTests",
      dependencies: [
        "Migrations", "OutboxConversion", "Platform", "PropertyList", "SQLite", "StoreAnonymising",
        "StoreFixtures", "StoreFormat", "StoreMigration", "StoreModel", "TestSupport",
      ]),
    .testTarget(
      name: "StoreExchangeTests",
      dependencies: [
        "Platform", "SQLite", "StoreAccess", "StoreExchange", "StoreFormat", "TestSupport",
      ]),
    .testTarget(name: "StoreFixturesTests", dependencies: ["StoreFixtures", "TestSupport"]),
    .testTarget(
      name: "StoreFormatTests", dependencies: ["PropertyList", "StoreFormat", "TestSupport"]),
    .testTarget(
      name: "StoreMigrationTests",
      dependencies: [
        "OutboxConversion", "StoreProof",
        "JSONText", "MigrationAuthoring", "Migrations", "OutboxFormat", "Processes",
        "RowInspection",
        "RowRewriting", "StoreAccess", "StoreExchange",
        "StoreFixtures",
        "StoreMigration", "TestSupport",
      ]),
    .testTarget(name: "StoreModelTests", dependencies: ["StoreModel", "TestSupport"]),
    .testTarget(
      name: "StorePagesTests", dependencies: ["Platform", "SQLite", "StorePages", "TestSupport"]),
    .testTarget(
      name: "StoreProofTests",
      dependencies: ["Migrations", "SQLite", "StoreModel", "StoreProof", "TestSupport"]),
    .testTarget(
      name: "StoreUpgradeExampleTests",
      dependencies: [
        "Migrations", "SQLite", "StoreFixtures", "StoreMigration", "StoreModel",
        "StoreUpgradeExample",
        "TestSupport",
      ]),
    .testTarget(
      name: "SwiftModelsTests",
      dependencies: [
        "Migrations", "Platform", "Processes", "SourceDeclarations", "StoreModel", "SwiftModels",
        "TestSupport",
      ]),
    .testTarget(
      name: "SwiftWritingTests",
      dependencies: [
        "JSONText", "Migrations", "Platform", "SQLite", "StoreFormat", "StoreModel", "SwiftWriting",
        "TestSupport",
      ]),
    .testTarget(
      name: "TemplateImportTests",
      dependencies: [
        "OutboxConversion", "StoreProof",
        "JSONText", "PropertyList", "SQLite", "StoreFixtures", "Migrations", "RowRewriting",
        "StoreAccess", "StoreMigration", "TemplateImport",
        "TestSupport",
      ]),
    .testTarget(
      name: "WorkoutTemplatesTests",
      dependencies: [
        "OutboxCore", "OutboxStore", "Platform", "SQLite", "StoreFixtures", "StoreModel",
        "TestSupport", "WorkoutTemplates",
      ]),
    .testTarget(
      name: "XMLTextTests",
      dependencies: ["JSONText", "Platform", "PropertyList", "TestSupport", "XMLText"]),
    .testTarget(
      name: "TranscriptTests",
      dependencies: [
        "OutboxConversion", "StoreProof",
        "CommandLineKit", "JSONText", "Platform", "Processes", "ReportFormats", "SQLite",
        "Migrations", "RowRewriting", "StoreAccess",
        "StoreMigration",
        "StoreModel",
        "SafeText", "TerminalOutput", "outbox-migrate", "TestSupport", "XMLText",
      ],
      exclude: ["Transcripts"]),
  ],
  swiftLanguageModes: [.v6]
)

// `make` builds the Swift parser in a build of its own, with flags for the toolchain's libraries.
if Context.environment["OUTBOX_MIGRATE_PARSER"] != nil {
  package.targets.append(
    .executableTarget(name: "outbox-source", dependencies: ["JSONText", "SourceDeclarations"]))
}

// `make bench-outbox` builds a program that creates events.
if Context.environment["OUTBOX_MIGRATE_BENCH"] != nil {
  package.targets.append(
    .executableTarget(
      name: "OutboxBenchmark",
      dependencies: ["OutboxCore", "OutboxStore", "Platform", "Processes"],
      path: "Tests/OutboxBenchmark"))
}

// `make fuzz` builds the same sources for libFuzzer, which brings the main function.
if Context.environment["OUTBOX_MIGRATE_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "Fuzzer", dependencies: fuzzDependencies, path: "Tests/HostileTests",
      exclude: ["Corpus", "Suites"]))
  package.targets.removeAll { $0.name == "HostileTests" }
}

let touchesPointers: Set = ["SQLite", "Platform", "Processes", "XMLText", "Fuzzer"]
let isC: Set = ["CPlatform", "CProcesses", "CMigrations", "CTransfers"]
// Xcode suppresses the warnings of packages that it fetches, which contradicts an error for each.
let isFetched = Context.packageDirectory.contains("/checkouts/")
let isOfAnApp: Set = ["DocumentExamplesTests"]
for target in package.targets
where ![.system, .plugin].contains(target.type) && !isC.union(isOfAnApp).contains(target.name) {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
  if !isFetched { target.swiftSettings?.append(.treatAllWarnings(as: .error)) }
  // Pointers stay in the targets that talk to C.
  if target.type != .test && !touchesPointers.contains(target.name) {
    target.swiftSettings?.append(.strictMemorySafety())
  }
}
