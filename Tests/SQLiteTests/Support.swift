import Platform

/// The bytes and the modification time of a file, for comparisons.
struct Picture: Hashable {
  let name: String
  let bytes: [UInt8]
  let modified: Timestamp
}

func pictures(in folder: String) throws -> [Picture] {
  try FileSystem.list(folder).map { name in
    let path = folder + "/" + name
    return Picture(
      name: name, bytes: try FileSystem.read(path), modified: try FileStatus(of: path).modified)
  }
}

func makeFile(_ path: String, _ bytes: [UInt8]) throws {
  try FileSystem.removeIfPresent(path)
  try FileSystem.create(path, bytes)
}

func damage(_ path: String, at offset: Int64) throws {
  let file = try FileDescriptor(opening: path, for: .updating)
  try file.write(Array(repeating: 0xff, count: 200), at: offset)
}
