// swift-tools-version: 6.2

import PackageDescription

// For an app on a device, add the files of both targets to an app target in Xcode, the folder
// Migrations as a folder reference, and replace `Bundle.module` by `Bundle.main`.
let package = Package(
  name: "BookshelfApp",
  platforms: [.macOS(.v26), .iOS(.v26)],
  dependencies: [.package(name: "outbox-migrate", path: "../../..")],
  targets: [
    // What every app can take as it is.
    .target(
      name: "StoreUpgrade",
      dependencies: [.product(name: "StoreMigration", package: "outbox-migrate")]),
    // What differs from app to app.
    .executableTarget(
      name: "BookshelfApp",
      dependencies: ["StoreUpgrade", .product(name: "StoreMigration", package: "outbox-migrate")],
      resources: [.copy("Resources/Migrations"), .copy("Resources/PrivacyInfo.xcprivacy")]),
  ])
