import CPlatform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// File metadata that a copy can carry over.
package enum FileAttribute: String, Hashable, Sendable, CaseIterable {
  /// The owner: user and group.
  case owner

  /// The permission bits; on Darwin also the access control list.
  case permissions

  /// The extended attributes.
  case extendedAttributes

  /// The times of the last access and the last modification.
  case times

  /// The attributes that a file keeps when its contents are replaced.
  package static let lasting: [FileAttribute] = [.owner, .permissions, .extendedAttributes]
}

extension FileDescriptor {
  /// Copies attributes from another file, as far as the system allows.
  ///
  /// Only root can change a file's owner, and some extended attributes belong to the system.
  ///
  /// - Returns: The attributes that weren't copied completely, in the order of the cases.
  @discardableResult
  package func copyAttributes(
    of source: borrowing FileDescriptor, _ attributes: [FileAttribute] = FileAttribute.allCases
  ) throws(SystemError) -> [FileAttribute] {
    var status = stat()
    try attempt("read the status of", source.path) { fstat(source.number, &status) }
    var missed: [FileAttribute] = []
    // The order matters: `fchown` clears the set-user-ID and set-group-ID bits, and every change
    // updates a time.
    for attribute in FileAttribute.allCases where attributes.contains(attribute) {
      let isCarried =
        switch attribute {
        case .owner: copyOwner(status)
        case .permissions:
          fchmod(number, status.st_mode & 0o7777) == 0
            && cplatform_copy_access_list(number, source.number) == 0
        case .extendedAttributes: copyExtendedAttributes(of: source)
        case .times: copyTimes(status)
        }
      if !isCarried { missed.append(attribute) }
    }
    return missed
  }

  /// Gives the file another file's owner and permissions, as far as the system allows.
  func copyOwnerAndPermissions(of status: FileStatus) {
    // Only root can change the owner. Its members can give a file to a group.
    if fchown(number, status.owner, status.group) != 0 {
      _ = fchown(number, uid_t.max, status.group)
    }
    _ = fchmod(number, mode_t(status.mode & 0o777))
  }

  private func copyOwner(_ source: stat) -> Bool {
    var own = stat()
    guard fstat(number, &own) == 0 else { return false }
    if own.st_uid == source.st_uid && own.st_gid == source.st_gid { return true }
    if fchown(number, source.st_uid, source.st_gid) == 0 { return true }
    // A user who can't change the owner can often still set the group.
    _ = fchown(number, own.st_uid, source.st_gid)
    return false
  }

  private func copyTimes(_ source: stat) -> Bool {
    futimens(number, [source.accessTime, source.modificationTime]) == 0
  }

  private func copyExtendedAttributes(of source: borrowing FileDescriptor) -> Bool {
    guard let names = source.extendedAttributeNames() else {
      // Darwin has two numbers for it.
      return errno == ENOTSUP || errno == EOPNOTSUPP
    }
    var isComplete = true
    for name in names {
      guard let value = source.extendedAttribute(named: name) else {
        isComplete = false
        continue
      }
      let code = cplatform_set_attribute(number, name, value, value.count)
      if code != 0 { isComplete = false }
    }
    return isComplete
  }

  /// Returns the names of the extended attributes, or `nil` if they can't be read.
  package func extendedAttributeNames() -> [String]? {
    var buffer = [CChar](repeating: 0, count: 1 << 16)
    let count = Int(cplatform_list_attributes(number, &buffer, buffer.count))
    guard count >= 0 else { return nil }
    let names = buffer[..<count].split(separator: 0)
    return names.map { String(decoding: $0.map { UInt8(bitPattern: $0) }, as: UTF8.self) }
  }

  /// Returns the value of an extended attribute, or `nil` if it doesn't exist or can't be read.
  package func extendedAttribute(named name: String) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = Int(cplatform_get_attribute(number, name, &buffer, buffer.count))
    guard count >= 0 else { return nil }
    return Array(buffer[..<count])
  }

  /// Whether the file is immutable or append-only, which keeps even root from replacing it.
  ///
  /// It is `false` if the file system has no such flags. On Linux, `chattr` sets them.
  package var isProtected: Bool { cplatform_is_protected(number) == 1 }

  /// Sets an extended attribute.
  package func setExtendedAttribute(
    named name: String, to value: [UInt8]
  ) throws(SystemError) {
    try attempt("set an attribute of", path) {
      cplatform_set_attribute(number, name, value, value.count)
    }
  }
}
