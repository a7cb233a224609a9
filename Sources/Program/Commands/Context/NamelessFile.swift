import Checking
import Foundation
import Glibc
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// A file without a name in any folder. It disappears when the process ends, even after a crash.
final class NamelessFile: Sendable {
    let descriptor: Int32

    /// A path by which this process alone can read the file.
    var path: String { "/proc/self/fd/\(descriptor)" }

    /// Makes the file in the folder of `TMPDIR`, else in `/var/tmp`, which is for large files: `/tmp` is in memory on many
    /// machines.
    init() throws(FileProblem) {
        let folder = getenv("TMPDIR").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 } ?? "/var/tmp"
        let name = "\(folder)/reqcli-\(UUID().uuidString.lowercased())"
        descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.problem("cannot make a temporary file in \(folder)") }
        unlink(name)
    }

    deinit { close(descriptor) }

    func append(_ bytes: ArraySlice<UInt8>) throws(FileProblem) {
        do throws(SystemError) {
            try writeAll(bytes, to: descriptor)
        } catch {
            throw Self.problem("cannot write a temporary file")
        }
    }

    func read(_ range: Range<Int>) throws(FileProblem) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: range.count)
        var start = 0
        while start < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress.map { $0 + start }, $0.count - start, off_t(range.lowerBound + start))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.problem("cannot read a temporary file") }
            start += count
        }
        return bytes
    }

    private static func problem(_ failure: String) -> FileProblem {
        FileProblem(.system("\(failure): \(SystemError().text)"))
    }
}

extension ExchangeFile {
    /// A file for one run.
    init() throws(FileProblem) {
        let file = try NamelessFile()
        let problem = Mutex<String?>(nil)
        @Sendable func noting<Value>(_ work: () throws(FileProblem) -> Value) -> Value? {
            // After a failure, the places of later exchanges are unknown.
            if problem.withLock({ $0 != nil }) { return nil }
            do throws(FileProblem) {
                return try work()
            } catch {
                problem.withLock { $0 = "the requests and responses are lost: \(error.reason)" }
                return nil
            }
        }
        self.init(
            append: { bytes in _ = noting { () throws(FileProblem) in try file.append(bytes[...]) } },
            read: { range in noting { () throws(FileProblem) in try file.read(range) } ?? [] },
            problem: { problem.withLock(\.self) })
    }
}
