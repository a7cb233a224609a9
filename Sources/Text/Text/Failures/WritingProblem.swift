import Glibc
package import ReqcliBasics

/// The reason why a file or an output cannot be written.
package struct WritingProblem: Error, Equatable {
    /// The reason, in a form that follows "… cannot be written: ".
    package let reason: String

    package init(_ reason: String) { self.reason = reason }

    package init(_ error: SystemError = SystemError()) { reason = error.text }
}

/// Writes all of the bytes, with as many system calls as necessary.
package func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(SystemError) {
    var rest = bytes
    while !rest.isEmpty {
        let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
        if count >= 0 {
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        } else if errno == EAGAIN {
            // Another program may share the terminal or pipe with this program, and may have made it non-blocking.
            var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            poll(&request, 1, -1)
        } else if errno != EINTR {
            throw SystemError()
        }
    }
}

package func writeAll(_ bytes: some Collection<UInt8>, to descriptor: Int32) throws(SystemError) {
    let result = Array(bytes).withUnsafeBytes { bytes in
        Result { () throws(SystemError) in try writeAll(bytes, to: descriptor) }
    }
    try result.get()
}
