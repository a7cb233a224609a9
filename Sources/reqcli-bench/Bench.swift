import Glibc

/// A run of measurements, one line each, and whether what was promised about them holds.
struct Bench {
    private(set) var isAllKept = true

    /// Times some work on so many bytes.
    func rate(_ name: String, of byteCount: Int, _ work: () -> String) -> Double {
        var result = ""
        let seconds = ContinuousClock().measure { result = work() } / .seconds(1)
        let rate = Double(byteCount) / 1e6 / seconds
        line(name, "\(Self.rounded(rate)) MB/s", "\(Self.rounded(seconds * 1000)) ms, \(result)")
        return rate
    }

    /// The best of several runs: the others were disturbed.
    static func best(of count: Int, _ work: () -> Void) -> Double {
        (0..<count).map { _ in ContinuousClock().measure(work) / .seconds(1) }.min() ?? 0
    }

    mutating func promise(_ text: String, _ isKept: Bool) {
        line(isKept ? "kept" : "BROKEN", text, "")
        if !isKept { isAllKept = false }
    }

    func heading(_ text: String) { print("\n\(text)") }

    func line(_ name: String, _ value: String, _ remark: String) {
        let padding = String(repeating: " ", count: max(1, 28 - name.count))
        print("\(name)\(padding)\(value)\(remark.isEmpty ? "" : "  (\(remark))")")
        fflush(nil)
    }

    static func rounded(_ value: Double) -> String {
        value < 10 ? "\((value * 100).rounded() / 100)" : "\(Int(value.rounded()))"
    }

    static func contents(of path: String) -> [UInt8]? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        fseek(file, 0, SEEK_END)
        let size = ftell(file)
        rewind(file)
        return [UInt8](unsafeUninitializedCapacity: max(size, 0)) { $1 = fread($0.baseAddress, 1, $0.count, file) }
    }
}
