import Foundation
import Platform
import TestSupport

/// Modules with the declarations of SwiftData that written code uses, to typecheck it on Linux.
///
/// The macros are real ones, in a plugin that is built from the toolchain's SwiftSyntax: roles,
/// arguments and circular references are checked as on Apple's systems. `@Model` only adds the
/// conformance, and the others expand to nothing. What SwiftData does at run time isn't covered.
struct SwiftDataStandIn {
  private let folder: TemporaryDirectory

  /// The stand-in; `nil`, after a printed note, if the toolchain can't build macros.
  static let shared: SwiftDataStandIn? = {
    do {
      return try SwiftDataStandIn()
    } catch {
      print("skipped: the stand-in for SwiftData can't be built: \(error)")
      return nil
    }
  }()

  private struct Failed: Error { let text: String }

  private init() throws {
    folder = try TemporaryDirectory()
    for (name, text) in Self.sources {
      try FileSystem.replace(folder.path(name), with: Array(text.utf8), mode: 0o644, suffix: ".new")
    }
    let host = try hostLibraries()
    try require([
      "-emit-library", "-o", "libSwiftDataMacros.so", "-module-name", "SwiftDataMacros",
      "-parse-as-library", "-I", host, "-L", host, "Macros.swift", "-lSwiftSyntax",
      "-lSwiftSyntaxMacros", "-lSwiftSyntaxBuilder",
    ])
    for module in ["SwiftUI", "SwiftData"] {
      try require([
        "-emit-module", "-parse-as-library", "-module-name", module, "-load-plugin-library",
        folder.path("libSwiftDataMacros.so"), "\(module).swift", "-o", "\(module).swiftmodule",
      ])
    }
  }

  /// Returns the compiler's complaints about files, by path, checked as one module.
  func complaints(about texts: [String: String]) throws -> [String] {
    let sources = try TemporaryDirectory()
    let paths = try texts.sorted { $0.key < $1.key }.map { name, text in
      let path = sources.path(name.replacing("/", with: "_") + ".swift")
      try FileSystem.replace(path, with: Array(text.utf8), mode: 0o644, suffix: ".new")
      return path
    }
    let result = try compile(
      [
        "-typecheck", "-swift-version", "6", "-parse-as-library", "-warnings-as-errors", "-I",
        folder.path, "-load-plugin-library", folder.path("libSwiftDataMacros.so"),
      ] + paths)
    guard result.status != 0 else { return [] }
    return result.text.split(separator: "\n").map(String.init).filter { $0.contains("error:") }
  }

  /// Builds a program from files and returns its output for some input.
  func output(of text: String, with arguments: [String]) throws -> String {
    let program = try TemporaryDirectory()
    try FileSystem.replace(
      program.path("main.swift"), with: Array(text.utf8), mode: 0o644, suffix: ".new")
    let built = try compile([program.path("main.swift"), "-o", program.path("main")])
    guard built.status == 0 else { throw Failed(text: built.text) }
    return try runToEnd(
      [program.path("main")] + arguments, in: program.path,
      environment: ProcessInfo.processInfo.environment
    ).text
  }

  private func require(_ arguments: [String]) throws {
    let result = try compile(arguments)
    guard result.status == 0 else { throw Failed(text: result.text) }
  }

  private func compile(_ arguments: [String]) throws -> (status: Int32, text: String) {
    try runToEnd(
      ["/usr/bin/env", "swiftc"] + arguments, in: folder.path,
      environment: ProcessInfo.processInfo.environment)
  }

  /// The folder of the toolchain's own modules.
  private func hostLibraries() throws -> String {
    let result = try compile(["-print-target-info"])
    let object = try JSONSerialization.jsonObject(with: Data(result.text.utf8)) as? [String: Any]
    let paths = object?["paths"] as? [String: Any]
    guard let resources = paths?["runtimeResourcePath"] as? String else {
      throw Failed(text: result.text)
    }
    return resources + "/host"
  }
}
