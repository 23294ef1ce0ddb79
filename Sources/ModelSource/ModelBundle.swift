import Platform
import PropertyList
import XMLText

/// A folder with the models of an app's versions: an `.xcdatamodeld` or a `.momd`.
struct ModelBundle {
  /// The path of the folder.
  let path: String

  /// The ending of the versions' names.
  let ending: String

  /// The name of the file that says which version is current.
  private let list: String

  /// The key of the current version's name in that file.
  private let key: String

  /// The contents of that file; `nil` if the folder has none.
  let info: PropertyList?

  /// The names of the versions, with their ending, in order.
  let names: [String]

  /// Reads the folder of source models.
  init(sourceAt path: String) throws(ModelSourceError) {
    try self.init(path, ".xcdatamodel", ".xccurrentversion", "_XCCurrentVersionName")
  }

  /// Reads the folder of compiled models.
  init(compiledAt path: String) throws(ModelSourceError) {
    try self.init(path, ".mom", "VersionInfo.plist", "NSManagedObjectModel_CurrentVersionName")
  }

  private init(
    _ path: String, _ ending: String, _ list: String, _ key: String
  ) throws(ModelSourceError) {
    (self.path, self.ending, self.list, self.key) = (path, ending, list, key)
    let files: [String]
    do throws(SystemError) {
      files = try FileSystem.list(path)
    } catch {
      throw ModelSourceError(error, at: path)
    }
    names = files.filter { $0.hasSuffix(ending) }
    info = files.contains(list) ? try PropertyList(fileAt: "\(path)/\(list)") : nil
    guard names.isEmpty else { return }
    throw files.contains { $0.hasSuffix(".omo") }
      ? .malformed(SourcePlace(path), reason: "it has only '.omo' files: \(OptimizedModel.advice)")
      : .malformed(SourcePlace(path), reason: "there is no '\(ending)' in it")
  }

  /// The names of the versions without their ending, for messages.
  private var shownNames: String {
    names.prefix(20).map { String($0.dropLast(ending.count)) }.joined(separator: ", ")
      + (names.count > 20 ? " and \(names.count - 20) others" : "")
  }

  /// Returns the name of a version, or of the current one, with its ending.
  func name(of version: String?) throws(ModelSourceError) -> String {
    guard let version else { return try current() }
    let exact = [version, version + ending].first(where: names.contains)
    // 'App 2.xcdatamodel' in 'App.xcdatamodeld' is also called 'App 2' and '2'.
    let stem = path.stem.lowercased()
    let short = names.map { ($0, $0.dropLast(ending.count).lowercased()) }
    let word = version.lowercased()
    let matches = [
      short.filter { $0.1 == word || $0.1 + ending == word },
      short.filter {
        $0.1.hasPrefix(stem) && $0.1.dropFirst(stem.count).drop { $0 == " " } == word
      },
      short.filter { $0.1.hasSuffix(word) },
    ]
    guard !word.isEmpty, let name = exact ?? matches.first(where: { $0.count == 1 })?.first?.0
    else {
      throw .ambiguous("'\(path)' has no version '\(version)'; give one of \(shownNames)")
    }
    return name
  }

  /// Returns the current version: the only one if no file says which it is.
  ///
  /// Xcode writes that file with the second version. A folder that lost it, as hidden files are
  /// lost, mustn't be taken for its oldest version.
  private func current() throws(ModelSourceError) -> String {
    guard let info else {
      guard let only = names.first, names.count == 1 else {
        throw .ambiguous(
          "'\(path)' doesn't say which version is current; write '\(path)#VERSION' with one of "
            + shownNames)
      }
      return only
    }
    let place = SourcePlace("\(path)/\(list)")
    guard let name = info[key]?.stringValue else {
      throw .malformed(place, reason: "the key '\(key)' is missing")
    }
    guard let found = names.first(where: { $0 == name || $0 == name + ending }) else {
      throw .malformed(
        place, reason: "the current version '\(name)' isn't in the folder; it has \(shownNames)")
    }
    return found
  }
}

extension PropertyList {
  /// Reads a binary or XML property list.
  init(fileAt path: String) throws(ModelSourceError) {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try FileSystem.read(path, limit: 1 << 20)
    } catch {
      throw ModelSourceError(error, at: path)
    }
    if bytes.starts(with: "bplist".utf8) {
      guard let list = try? PropertyList(binary: bytes) else {
        throw .malformed(SourcePlace(path), reason: "it isn't a property list")
      }
      self = list
    } else {
      do throws(XMLError) {
        self = try PropertyList(xml: bytes)
      } catch {
        throw .malformed(
          SourcePlace(path, error.position), reason: "it isn't a property list: \(error.reason)")
      }
    }
  }
}
