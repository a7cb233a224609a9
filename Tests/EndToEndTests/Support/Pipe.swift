import CSpawn
import Glibc
import Testing

/// A pipe whose ends no other process inherits by accident.
final class Pipe {
    private(set) var reading: Int32
    private(set) var writing: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        // Tests run side by side: a process started by another one must not hold this pipe open.
        try #require(reqcli_pipe(&ends) == 0)
        (reading, writing) = (ends[0], ends[1])
    }

    deinit {
        closeReading()
        closeWriting()
    }

    func closeReading() {
        if reading >= 0 { close(reading) }
        reading = -1
    }

    func closeWriting() {
        if writing >= 0 { close(writing) }
        writing = -1
    }

    /// Reads two pipes to their ends, as the bytes come: a writer that fills one never waits for the other.
    static func read(_ one: Pipe, _ other: Pipe) -> (String, String) {
        var texts: [[UInt8]] = [[], []]
        var requests = [one, other].map { pollfd(fd: $0.reading, events: Int16(POLLIN), revents: 0) }
        // A negative descriptor is one that poll passes over.
        while requests.contains(where: { $0.fd >= 0 }) {
            guard poll(&requests, nfds_t(requests.count), -1) >= 0 else { continue }
            for index in requests.indices where requests[index].revents != 0 {
                var chunk = [UInt8](repeating: 0, count: 1 << 16)
                let count = Glibc.read(requests[index].fd, &chunk, chunk.count)
                if count > 0 { texts[index] += chunk[..<count] } else { requests[index].fd = -1 }
            }
        }
        return (String(decoding: texts[0], as: UTF8.self), String(decoding: texts[1], as: UTF8.self))
    }
}
