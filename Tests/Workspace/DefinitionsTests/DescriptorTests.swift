import Glibc
import ReqcliDefinitions
import Testing

/// Pipes that a shell names by a descriptor, as bash does for `<(…)`.
struct DescriptorTests {
    @Test("a pipe is read once, to its end, and its bytes are there again")
    func pipe() async throws {
        var ends: [Int32] = [-1, -1]
        try #require(Glibc.pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        let path = "/dev/fd/\(reading)"
        let text = Array(String(repeating: "0123456789", count: 30_000).utf8)
        let writer = Task.detached {
            var rest = text[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { write(writing, $0.baseAddress, $0.count) }
                if count <= 0 { break }
                rest = rest.dropFirst(count)
            }
            close(writing)
        }
        #expect(try FileSystem.live.readTyped(path, upTo: 1 << 20) == text)
        await writer.value
        #expect(try FileSystem.live.readTyped(path, upTo: 1 << 20) == text)
        close(reading)
    }

    @Test(
        "only a pipe that the user names by a descriptor is read, and never one that a file names",
        arguments: ["/dev/null", "/dev/fd/none", "/dev/fd/0", "/proc/self/fd/1", "/dev/fd/../fd/9"])
    func others(_ path: String) throws {
        #expect(!DescriptorPipe.isNamed(by: path))
        var ends: [Int32] = [-1, -1]
        try #require(Glibc.pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        #expect(throws: FileProblem.self) { try FileSystem.live.read("/dev/fd/\(ends[0])", 10) }
    }
}
