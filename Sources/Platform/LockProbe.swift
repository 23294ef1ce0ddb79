#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A check for other processes that use a SQLite database.
///
/// The probe opens the files when it is created and closes them when it is destroyed. Closing
/// releases this process's own locks on the files (see ``FileDescriptor``), so create the probe
/// before you lock the database, and keep it until you have unlocked it.
///
/// Related SQLite documentation: <https://www.sqlite.org/lockingv3.html>,
/// <https://www.sqlite.org/walformat.html#locks>
package struct LockProbe: ~Copyable {
  private let file: FileDescriptor
  private let sharedMemory: OptionalDescriptor

  /// The identities of the main file and of its companion files.
  package let identities: Set<FileIdentity>

  /// Opens a database file, and its `-shm` if there is one.
  package init(of path: String) throws(SystemError) {
    let resolved = try FileSystem.resolve(path)
    let file = try FileDescriptor(opening: resolved)
    var identities: Set = [try file.status().identity]
    for suffix in ["-wal", "-shm", "-journal"] {
      if let status = try FileStatus.ifPresent(at: resolved + suffix) {
        identities.insert(status.identity)
      }
    }
    let sharedMemory = try OptionalDescriptor(openingIfPresent: resolved + "-shm")
    self.identities = identities
    self.sharedMemory = sharedMemory
    self.file = file
  }

  /// Returns the other processes that use the database, ordered by process ID.
  ///
  /// Locks are visible for every process. Open files are visible only with a ``ProcessSearch``, for
  /// processes that this user can inspect. If several processes share a lock, the system reports
  /// one of them.
  package func holders() throws(SystemError) -> [Holder] {
    var uses: [Int32: Set<Holder.Use>] = [:]
    for range in SQLiteLock.inMainFile {
      if let owner = try owner(of: range, in: file) { uses[owner, default: []].insert(range.use) }
    }
    switch sharedMemory {
    case .open(let descriptor):
      let range = SQLiteLock.inSharedMemory
      if let owner = try owner(of: range, in: descriptor) {
        uses[owner, default: []].insert(range.use)
      }
    case .absent: break
    }
    let search = ProcessSearch.current
    for processID in search?.processes(identities) ?? [] where processID != Platform.processID {
      uses[processID, default: []].insert(.isOpen)
    }
    return uses.sorted { $0.key < $1.key }.map { processID, uses in
      let command = processID > 0 ? search?.name(processID) : nil
      return Holder(processID: processID, command: command, uses: uses)
    }
  }

  private func owner(
    of range: SQLiteLock, in descriptor: borrowing FileDescriptor
  ) throws(SystemError) -> Int32? {
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = range.start
    lock.l_len = range.count
    try attempt("check the locks on", descriptor.path) {
      fcntl(descriptor.number, F_GETLK, &lock)
    }
    return Int32(lock.l_type) == Int32(F_UNLCK) ? nil : lock.l_pid
  }
}

/// Returns the other processes that use a SQLite database, ordered by process ID.
///
/// Don't call it while this process has a lock on the database: see ``LockProbe``.
package func lockHolders(of path: String) throws(SystemError) -> [Holder] {
  try LockProbe(of: path).holders()
}

/// A descriptor of a file that may not exist.
enum OptionalDescriptor: ~Copyable {
  case open(FileDescriptor)
  case absent

  init(openingIfPresent path: String) throws(SystemError) {
    do throws(SystemError) {
      self = .open(try FileDescriptor(opening: path))
    } catch {
      guard error.isNotFound else { throw error }
      self = .absent
    }
  }
}

/// The byte ranges that SQLite locks (`os.h`, `os_unix.c`); the file may be shorter.
struct SQLiteLock {
  let start: off_t
  let count: off_t
  let use: Holder.Use

  static let inMainFile = [
    // The pending and reserved bytes, then the 510 shared bytes.
    SQLiteLock(start: 0x4000_0000, count: 2, use: .writes),
    SQLiteLock(start: 0x4000_0002, count: 510, use: .reads),
  ]

  /// The first byte and the number of bytes of all locks of the main file.
  static let wholeMainFile: (start: off_t, count: off_t) = (0x4000_0000, 512)

  // Eight locks, and the "deadman switch" that each connection to the shared memory holds.
  static let inSharedMemory = SQLiteLock(start: 120, count: 9, use: .sharesMemory)
}
