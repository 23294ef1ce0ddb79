import StoreModel

extension FixedWidthInteger {
  /// Returns the number with a noun in the right form: `1 row`, `1,204 rows`.
  package func counted(_ singular: String, _ plural: String? = nil) -> String {
    "\(grouped) \(self == 1 ? singular : plural ?? singular + "s")"
  }
}

extension Int64 {
  /// The number of bytes in decimal units: `512 bytes`, `41 KB`, `12.4 MB`.
  package var byteSize: String {
    if self < 1_000 { return counted("byte") }
    var unit = 1_000
    var names = ["MB", "GB", "TB"][...]
    var name = "KB"
    var tenths = self.tenths(of: unit)
    while tenths >= 9_995, let next = names.popFirst() {
      unit *= 1_000
      name = next
      tenths = self.tenths(of: unit)
    }
    let isWhole = name == "KB" || tenths >= 1_000
    return isWhole
      ? "\((tenths + 5) / 10) \(name)" : "\(tenths / 10).\(tenths % 10) \(name)"
  }

  private func tenths(of unit: Int) -> Int {
    Int((Double(self) / Double(unit) * 10).rounded())
  }

  /// The number of milliseconds in a readable unit: `412 ms`, `3.2 s`.
  package var milliseconds: String {
    self < 1_000 ? "\(self) ms" : "\(self / 1_000).\(self % 1_000 / 100) s"
  }
}
