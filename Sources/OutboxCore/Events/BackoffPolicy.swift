#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The delays before retries, in seconds; after the last one, it repeats.
public enum BackoffPolicy {
  /// FitIQ's and FitIQCore's delays: 1, 5, 30, 120 and 600 s.
  public static let fitIQ: [TimeInterval] = [1, 5, 30, 120, 600]

  /// Lume's delays: 2, 4, 8, 16 and 32 s.
  public static let lume: [TimeInterval] = [2, 4, 8, 16, 32]
}
