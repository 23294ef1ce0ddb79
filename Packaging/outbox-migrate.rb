# A formula for Homebrew. Untried on macOS: its syntax is checked by the tests. 'make release' fills in the archive.
class OutboxMigrate < Formula
  desc "Migrate SwiftData and Core Data stores offline, and roll them back"
  homepage "@HOMEPAGE@"
  url "@ARCHIVE@"
  sha256 "@SHA256@"
  license "MIT"

  depends_on xcode: ["26.0", :build]
  depends_on macos: :tahoe

  def install
    system "make", "install", "PREFIX=#{prefix}"
  end

  test do
    store = testpath/"default.store"
    system bin/"outbox-migrate", "fixture", "create", "lume", "V6", store, "--rows", "20"
    system bin/"outbox-migrate", "apply", store
    assert_match "Verified", shell_output("#{bin}/outbox-migrate verify #{store}")
    system bin/"outbox-migrate", "rollback", store
  end
end
