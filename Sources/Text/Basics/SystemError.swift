import Glibc

/// Why a call to the system failed.
package struct SystemError: Error, Equatable {
    package let code: Int32

    package init(_ code: Int32 = errno) { self.code = code }

    /// The system's name for it.
    package var name: String { String(cString: strerror(code)) }

    /// The system's name for it, as a part of a sentence.
    package var text: String {
        // "No space left on device" goes on after a colon; "I/O error" keeps its capitals.
        let name = name
        let second = name.dropFirst().first
        return second?.isLowercase == true || second == " " ? name.prefix(1).lowercased() + name.dropFirst() : name
    }
}
