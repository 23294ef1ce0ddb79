/// What became of a payload.
package enum PayloadClass: String, CaseIterable, Hashable, Sendable {
  /// JSON text without insignificant whitespace, kept as it is.
  case identical

  /// JSON text, kept but for its insignificant whitespace.
  case normalised

  /// Anything else, encoded.
  case base64

  /// No bytes, which is no metadata: NULL.
  case empty

  /// A Boolean value indicating whether the payload is a JSON text, see ``isJSONText(_:)``.
  package var isJSON: Bool { self == .identical || self == .normalised }
}

/// What a metadata text says of the payload it came from.
package enum MetadataClass: String, CaseIterable, Hashable, Sendable {
  /// Text that begins as JSON does: the payload is its UTF-8 bytes.
  case json

  /// Canonical base64: the payload is what it encodes.
  case base64

  /// Text no conversion gives, so that only an app can have written it: taken as its UTF-8 bytes.
  case other
}

/// Converts payloads to metadata text and back, one at a time, reusing one buffer.
///
/// The text is the payload without insignificant whitespace where that is one JSON text (RFC 8259,
/// UTF-8 without a byte order mark, an object or array at the top, at most ``maximumJSONDepth``
/// levels), and its base64 (RFC 4648 §4) otherwise. JSON text begins with `{` or `[`, and base64
/// never does, so the way back is certain.
///
/// The buffer grows to four thirds of the largest payload and stays.
package struct PayloadConverter: ~Copyable, Sendable {
  /// The memory behind ``withOutput(_:)``, of which the first ``outputCount`` bytes count.
  package private(set) var buffer: [UInt8] = []

  /// The number of bytes the last conversion wrote to ``buffer``.
  package private(set) var outputCount = 0

  /// Creates a converter with an empty buffer.
  package init() {}

  /// Lends the bytes the last conversion wrote.
  ///
  /// They are the metadata after ``PayloadClass/normalised`` and ``PayloadClass/base64``, and the
  /// payload after ``MetadataClass/base64``. After any other class there are none: after
  /// ``PayloadClass/identical``, ``MetadataClass/json`` and ``MetadataClass/other`` the bytes that
  /// were converted are the result.
  @inlinable
  package borrowing func withOutput<Failure: Error, Result>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(buffer.span.extracting(first: outputCount))
  }
}

extension PayloadConverter {
  /// Converts a payload to metadata in one pass over its bytes.
  package mutating func convert(_ payload: Span<UInt8>) -> PayloadClass {
    outputCount = 0
    guard !payload.isEmpty else { return .empty }
    var scan = JSONScan()
    switch scan.advance(in: payload) {
    case .end: return .identical
    case .whitespace where copySignificant(payload, scan: &scan): return .normalised
    case .whitespace, .malformed:
      encode(payload)
      return .base64
    }
  }

  /// Converts metadata back to a payload.
  ///
  /// No metadata (NULL) is the empty payload, which needs no conversion. No text at all is
  /// ``MetadataClass/other``.
  package mutating func revert(_ metadata: Span<UInt8>) -> MetadataClass {
    outputCount = 0
    guard !metadata.isEmpty else { return .other }
    if metadata[0] == UInt8(ascii: "{") || metadata[0] == UInt8(ascii: "[") { return .json }
    reserve(metadata.count)
    var output = buffer.mutableSpan
    guard let count = Base64.decode(metadata, into: &output) else { return .other }
    outputCount = count
    return .base64
  }

  /// Copies the significant bytes, from a scan at its first whitespace on; `false` if not JSON.
  private mutating func copySignificant(_ payload: Span<UInt8>, scan: inout JSONScan) -> Bool {
    reserve(payload.count)
    var output = buffer.mutableSpan
    guard let count = scan.copySignificant(of: payload, into: &output) else { return false }
    outputCount = count
    return true
  }

  private mutating func encode(_ payload: Span<UInt8>) {
    let count = Base64.encodedCount(payload.count)
    reserve(count)
    var output = buffer.mutableSpan
    Base64.encode(payload, into: &output)
    outputCount = count
  }

  /// Makes room for a number of bytes; what the buffer holds is lost.
  private mutating func reserve(_ count: Int) {
    guard buffer.count < count else { return }
    // The old buffer goes first, so that the two never take memory at once.
    buffer = []
    buffer = [UInt8](repeating: 0, count: (count + 4095) & ~4095)
  }
}

/// Returns whether bytes are one JSON text with an object or array at the top.
///
/// The text is UTF-8 without a byte order mark and at most ``maximumJSONDepth`` levels deep.
/// - Complexity: O(*n*), in one pass.
package func isJSONText(_ bytes: Span<UInt8>) -> Bool {
  var scan = JSONScan()
  return scan.hasWhitespace(in: bytes) { _ in } != nil
}

extension PayloadClass {
  /// What ``PayloadConverter/convert(_:)`` would make of a payload, which isn't made.
  ///
  /// - Complexity: O(*n*) in the number of bytes, without an allocation.
  package init(of payload: Span<UInt8>) {
    self.init(of: payload) { _ in }
  }

  /// What ``PayloadConverter/convert(_:)`` would make of a payload whose keys are visited on the way.
  ///
  /// Every key is visited, at any depth, in the order of the text; of what turns out to be no JSON text, some.
  ///
  /// - Complexity: O(*n*) in the number of bytes, without an allocation.
  package init(of payload: Span<UInt8>, visitingKeys visit: (JSONKey) -> Void) {
    var scan = JSONScan()
    self =
      switch scan.hasWhitespace(in: payload, visit) {
      case nil: payload.isEmpty ? .empty : .base64
      case false?: .identical
      case true?: .normalised
      }
  }
}

extension JSONScan {
  /// Goes on to the end, and returns whether there was insignificant whitespace.
  ///
  /// Nothing if the text isn't JSON.
  @inline(__always)
  fileprivate mutating func hasWhitespace(
    in text: Span<UInt8>, _ visit: (JSONKey) -> Void
  ) -> Bool? {
    var hasWhitespace = false
    while true {
      switch advance(in: text, visit) {
      case .whitespace:
        skipWhitespace(in: text)
        hasWhitespace = true
      case .end: return hasWhitespace
      case .malformed: return nil
      }
    }
  }
}
