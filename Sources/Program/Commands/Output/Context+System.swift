import Exchange
import ReqcliDefinitions
import ReqcliText

extension Context {
    /// The lines that a report of a mistake needs in addition to the version: the libraries, the compiler and the system.
    var systemDescription: [String] {
        let system = [machine(), distribution].filter { !$0.isEmpty }.joined(separator: ", ")
        return [URLSessionTransport.libraryDescription, "Swift \(Self.compiler)"] + (system.isEmpty ? [] : [system])
    }

    /// The oldest version of Swift that this program can have been compiled with.
    private static var compiler: String {
        #if compiler(>=6.4)
        "6.4 or later"
        #else
        "6.3"
        #endif
    }

    /// The name of the Linux distribution; empty if it is not known.
    private var distribution: String {
        guard let bytes = try? files.read("/etc/os-release", 1 << 16) else { return "" }
        let key = "PRETTY_NAME="
        let line = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).first { $0.hasPrefix(key) }
        return line.map { harmlessLine($0.dropFirst(key.count).filter { $0 != "\"" }) } ?? ""
    }
}
