public import Foundation

/// An error whose description says what was found, what was expected, and where.
public protocol DescribedError: LocalizedError, CustomStringConvertible {}

extension DescribedError {
    /// The same text as `description`.
    public var errorDescription: String? { description }
}

/// A value that may hold a secret. Dumps of the value show its description, which leaves the secret out.
package protocol DescribedAlone: CustomStringConvertible, CustomReflectable {}

extension DescribedAlone {
    /// Only the description, because other properties may hold a secret.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
