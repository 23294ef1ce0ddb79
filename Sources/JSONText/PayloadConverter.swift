/// The result of converting a payload to metadata.
package enum PayloadClass: String, CaseIterable, Hashable, Sendable {
  /// JSON without insignificant whitespace, kept unchanged.
  case identical

  /// JSON, kept without its insignificant whitespace.
  case normalised

  /// Anything else, in Base64.
  case base64

  /// An empty payload, whose metadata is NULL.
  case empty

  /// Whether the payload is JSON text: see ``isJSONText(_:)``.
  package var isJSON: Bool { self == .identical || self == .normalised }
}

/// The kind of a metadata text, which determines how to restore the payload.
package enum MetadataClass: String, CaseIterable, Hashable, Sendable {
  /// JSON: the payload is its UTF-8 bytes.
  case json

  /// Canonical Base64: the payload is the decoded bytes.
  case base64

  /// Any other text, which the conversion doesn't produce: the payload is its UTF-8 bytes.
  case other
}

/// Converts payloads to metadata text and back, reusing one buffer.
///
/// A payload that is JSON becomes its text without insignificant whitespace. JSON here is RFC 8259
/// in UTF-8 without a byte order mark, with an object or array at the top level and at most
/// ``maximumJSONDepth`` levels. Any other payload becomes Base64 (RFC 4648 §4). JSON text starts
/// with `{` or `[`, and Base64 never does, so the conversion can be reversed.
///
/// The buffer grows to 4/3 of the largest payload and isn't freed.
package struct PayloadConverter: ~Copyable, Sendable {
  /// The buffer; its first ``outputCount`` bytes are the last result.
  package private(set) var buffer: [UInt8] = []

  /// The number of bytes that the last conversion wrote to ``buffer``.
  package private(set) var outputCount = 0

  /// Creates a converter with an empty buffer.
  package init() {}

  /// Passes the bytes that the last conversion wrote to a closure.
  ///
  /// They are the metadata after ``PayloadClass/normalised`` and ``PayloadClass/base64``, and the
  /// payload after ``MetadataClass/base64``. There are none after the other classes: after
  /// ``PayloadClass/identical``, ``MetadataClass/json`` and ``MetadataClass/other`` the input is
  /// the result.
  @inlinable
  package borrowing func withOutput<Failure: Error, Result>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(buffer.span.extracting(first: outputCount))
  }
}

extension PayloadConverter {
  /// Converts a payload to metadata.
  ///
  /// - Complexity: O(*n*) in the number of bytes, in one pass.
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
  /// Don't call it for NULL metadata, which stands for the empty payload. An empty text is
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

  /// Copies the significant bytes, starting at the first whitespace; returns `false` if not JSON.
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

  /// Enlarges the buffer to a number of bytes, discarding its contents.
  private mutating func reserve(_ count: Int) {
    guard buffer.count < count else { return }
    // Free the old buffer first, so that both never exist at the same time.
    buffer = []
    buffer = [UInt8](repeating: 0, count: (count + 4095) & ~4095)
  }
}

/// Returns whether bytes are JSON text with an object or array at the top level.
///
/// The text must be UTF-8 without a byte order mark and at most ``maximumJSONDepth`` levels deep.
///
/// - Complexity: O(*n*) in the number of bytes, in one pass.
package func isJSONText(_ bytes: Span<UInt8>) -> Bool {
  var scan = JSONScan()
  return scan.hasWhitespace(in: bytes) { _, _ in } != nil
}

extension PayloadClass {
  /// Returns the result of ``PayloadConverter/convert(_:)``, without converting.
  ///
  /// - Complexity: O(*n*) in the number of bytes, without allocations.
  package init(of payload: Span<UInt8>) {
    var scan = JSONScan()
    self.init(of: payload, hasWhitespace: scan.hasWhitespace(in: payload) { _, _ in })
  }

  /// Classifies a payload like ``init(of:)``, and calls a closure for each key.
  ///
  /// The closure is called for the keys at every depth, in the order of the text. If the text turns
  /// out to be invalid JSON, the closure has been called for some keys.
  ///
  /// - Complexity: O(*n*) in the number of bytes, without allocations.
  package init(of payload: Span<UInt8>, visitingKeys visit: (JSONKey) -> Void) {
    var scan = JSONScan()
    let hasWhitespace = scan.hasWhitespace(in: payload) { name, depth in
      visit(payload.key(named: name, depth: depth))
    }
    self.init(of: payload, hasWhitespace: hasWhitespace)
  }

  private init(of payload: Span<UInt8>, hasWhitespace: Bool?) {
    self =
      switch hasWhitespace {
      case nil: payload.isEmpty ? .empty : .base64
      case false?: .identical
      case true?: .normalised
      }
  }
}

extension JSONScan {
  /// Scans to the end and returns whether there was insignificant whitespace; `nil` if not JSON.
  @inline(__always)
  fileprivate mutating func hasWhitespace(
    in text: Span<UInt8>, _ visit: (Range<Int>, Int) -> Void
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
