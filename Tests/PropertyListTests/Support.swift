import PropertyList

/// The bytes of a hexadecimal text; blanks in it don't count.
func bytes(_ hex: String) -> [UInt8] {
  let digits = hex.filter { $0 != " " && $0 != "\n" }.compactMap(\.hexDigitValue)
  precondition(digits.count.isMultiple(of: 2), "two digits make a byte")
  return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// A list put together by hand: objects, one byte for each offset and reference, a trailer.
func list(_ objects: [[UInt8]], top: UInt8 = 0) -> [UInt8] {
  var bytes = Array("bplist00".utf8)
  var offsets: [UInt8] = []
  for object in objects {
    offsets.append(UInt8(bytes.count))
    bytes += object
  }
  let table = UInt8(bytes.count)
  bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1]
  bytes += [0, 0, 0, 0, 0, 0, 0, UInt8(objects.count)]
  bytes += [0, 0, 0, 0, 0, 0, 0, top]
  bytes += [0, 0, 0, 0, 0, 0, 0, table]
  return bytes
}

/// Numbers that come again with the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}

/// The metadata of a store that SwiftData made on iOS 17 (sergd2005/ResourcesManager).
let metadata = """
  62706c6973743030d80102030405060708090b0c0d0e0f16175f101e4e5353746f72654d6f64656c56657273696f
  6e4964656e746966696572735b4e5353746f7265547970655f10125f4e534175746f56616375756d4c6576656c5f
  101f4e5353746f72654d6f64656c56657273696f6e4861736865734469676573745f101e4e5353746f72654d6f64
  656c56657273696f6e436865636b73756d4b65795f10194e5353746f72654d6f64656c56657273696f6e48617368
  65735f101d4e5350657273697374656e63654672616d65776f726b56657273696f6e5f10204e5353746f72654d6f
  64656c56657273696f6e48617368657356657273696f6ea10a55312e302e305653514c69746551325f1058413557
  6c346b783974344533634d33797a6176434f51714a51644342333974586c592b7774316b3155666d625a7351636e
  5043576556776272694e2f58567a432b71306f435235526351524a76347a776853393755673d3d5f102c36543234
  44336e4e767a3671736730644f377937494133746c625a3051704b2f41776d50354b69585867773dd31011121314
  15544974656d59436f6d706f6e656e745e4372616674696e675265636970654f1020683a2c663d51fe60fba4165f
  eb790087bed871d837ba64e81eb1e8836428c2a54f1020fc80203a8a339b148fd0b6c3b0e586a260591563cf6780
  a406e69f18a69f84064f1020acc6c82026903fd8bd74a3965988ffb840c0794119ccc9d6b360a0a7531046171105
  41100300080019003a0046005b007d009e00ba00da00fd00ff0105010c010e01690198019f01a401ae01bd01e002
  0302260229000000000000020100000000000000180000000000000000000000000000022b
  """
