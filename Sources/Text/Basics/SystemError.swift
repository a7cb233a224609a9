#if canImport(Glibc)
import Glibc
#else
import Foundation
#endif

/// The reason why a system call failed.
package struct SystemError: Error, Equatable {
    package let code: Int32

    package init(_ code: Int32 = errno) { self.code = code }

    /// The system's message for the error.
    package var name: String { String(cString: strerror(code)) }

    /// The system's message for the error, in a form that can follow a colon.
    package var text: String {
        // "No space left on device" begins with a small letter after a colon; "I/O error" keeps its capitals.
        let name = name
        let second = name.dropFirst().first
        return second?.isLowercase == true || second == " " ? name.prefix(1).lowercased() + name.dropFirst() : name
    }
}
