package import Assembly
import Definitions
import Glibc
import RequestBuilding

extension World {
    /// The world of this process. Nobody permits anything in it yet.
    package static let live = World(
        files: .live, fileSize: RequestBody.size(ofFile:),
        variable: { name in getenv(name).map { String(cString: $0) } },
        standardInput: { () throws(FileProblem) in try StandardInput.all() },
        spooledInput: { limit throws(FileProblem) in try StandardInput.spooled(above: limit) },
        run: { ProgramRunner.run($0, in: $1, timeout: $2) }, uuid: { RandomUUID.text() },
        randomInt: { Int.random(in: 0...999_999_999) }, clock: .live)
}

extension WorldClock {
    private static let start = ContinuousClock.now

    package static let live = WorldClock(
        date: {
            var time = timespec()
            clock_gettime(CLOCK_REALTIME, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        },
        elapsed: { start.duration(to: .now) }, sleep: { try await Task.sleep(for: $0) })
}

/// A random UUID (RFC 9562, version 4), lower case, without Foundation.
enum RandomUUID {
    static func text() -> String {
        // Both halves at once: each of them alone would be a call to the kernel.
        var halves = (UInt64(0), UInt64(0))
        let isFilled = withUnsafeMutableBytes(of: &halves) { getentropy($0.baseAddress, $0.count) == 0 }
        return isFilled ? text(halves.0, halves.1) : text(.random(in: .min ... .max), .random(in: .min ... .max))
    }

    static func text(_ high: UInt64, _ low: UInt64) -> String {
        let versioned = high & ~0xF000 | 0x4000
        let variant = low & ~(0b11 << 62) | 0b10 << 62
        return String(unsafeUninitializedCapacity: 36) { text in
            var end = 0
            for digit in 0..<32 {
                if digit == 8 || digit == 12 || digit == 16 || digit == 20 {
                    text[end] = UInt8(ascii: "-")
                    end += 1
                }
                let word = digit < 16 ? versioned : variant
                let value = UInt8(truncatingIfNeeded: word >> UInt64(60 - digit % 16 * 4)) & 15
                text[end] = value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
                end += 1
            }
            return end
        }
    }
}
