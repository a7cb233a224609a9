import Foundation
import Glibc
import LoadTesting

extension ProcessorSample {
    /// The processor time of this process, as Linux counts it.
    @Sendable static func live() -> ProcessorSample {
        let folder = "/proc/self/task"
        var sample = ProcessorSample()
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            // The first number is the time in nanoseconds. A thread may have ended since its folder was listed.
            guard let id = Int(name), let text = text(of: "\(folder)/\(name)/schedstat"),
                let nanoseconds = text.split(separator: " ").first.flatMap({ Int64($0) })
            else { continue }
            sample.threads[id] = .nanoseconds(nanoseconds)
        }
        let lines = text(of: "/sys/fs/cgroup/cpu.stat")?.split(separator: "\n") ?? []
        let throttled = lines.first { $0.hasPrefix("throttled_usec ") }?.split(separator: " ").last.flatMap {
            Int64($0)
        }
        sample.throttled = .microseconds(throttled ?? 0)
        return sample
    }

    /// The text of a file that the kernel makes, whose size is not known before.
    private static func text(of path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &bytes, bytes.count)
        return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
