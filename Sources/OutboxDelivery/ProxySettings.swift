import Processes
import Foundation
import Platform

/// The proxies that libcurl reads from the environment: <https://curl.se/libcurl/c/libcurl-env.html>.
///
/// A proxy for HTTPS passes encrypted bytes on (`CONNECT`). One for HTTP would read tokens and
/// bodies; only requests to this machine use HTTP, and they need no proxy.
package enum ProxySettings {
  /// Removes all proxies from the environment if a URL leads to this machine.
  ///
  /// Call it before other threads start.
  package static func removeForThisMachine(_ baseURL: String) {
    guard let host = URLComponents(string: baseURL)?.host, isLoopback(host) else { return }
    removeFromEnvironment(
      ["http_proxy", "https_proxy", "all_proxy"].flatMap { [$0, $0.uppercased()] })
  }
}
