import Glibc

extension Output {
    /// Writes to a descriptor at once: there is no buffer to flush before the program ends.
    package convenience init(descriptor: Int32) {
        self.init { (bytes) throws(Problem) in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
                if count >= 0 {
                    rest = rest.dropFirst(count)
                } else if errno == EAGAIN {
                    Output.wait(for: descriptor)
                } else if errno != EINTR {
                    throw errno == EPIPE ? .closed : .failed(SystemError.text(errno))
                }
            }
        }
    }

    /// Another program may have made the terminal or pipe that it shares with this one non-blocking.
    private static func wait(for descriptor: Int32) {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&request, 1, -1)
    }
}

/// What the system calls a failure, as a part of a sentence.
enum SystemError {
    static func text(_ code: Int32) -> String {
        let text = String(cString: strerror(code))
        // "No space left on device" goes on after a colon; "I/O error" keeps its capitals.
        let second = text.dropFirst().first
        return second?.isLowercase == true || second == " " ? text.prefix(1).lowercased() + text.dropFirst() : text
    }
}
