# A formula for Homebrew. Nobody has run it yet: it waits for a release on macOS. scripts/release.sh fills in the places in capitals
# and writes the result to .build/dist.
class Reqcli < Formula
  desc "Describe an HTTP API once, in JSON files; send, check, stub and serve it"
  homepage "HOMEPAGE"
  url "HOMEPAGE/archive/refs/tags/vVERSION.tar.gz"
  sha256 "SHA256"
  license "Apache-2.0"

  depends_on xcode: ["26.0", :build]
  depends_on macos: :sequoia

  def install
    system "swift", "build", "--disable-sandbox", "-c", "release", "--product", "reqcli"
    bin.install ".build/release/reqcli"
    generate_completions_from_executable(bin/"reqcli", "completions")
    (buildpath/"reqcli.1").write Utils.safe_popen_read(bin/"reqcli", "__man")
    man1.install "reqcli.1"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/reqcli --version")
    system bin/"reqcli", "init", testpath/"workspace"
    system bin/"reqcli", "-C", testpath/"workspace", "check", "--stub"
  end
end
