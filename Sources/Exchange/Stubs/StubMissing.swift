public import Foundation

/// A request for which there is no stub, or none any more.
public struct StubMissing: LocalizedError, Hashable, Sendable, CustomStringConvertible {
    /// Method and URL of the request.
    public let request: String
    /// The patterns that have stubs.
    public let stubs: [String]
    /// The pattern that fits the request and whose stubs have all been given; nil if none fits.
    public let exhausted: String?

    /// The description.
    public var errorDescription: String? { description }

    /// Names the request and the stubs there are.
    public var description: String {
        if let exhausted { return "no stub answers \(request): \(exhausted) has no response left" }
        let known = stubs.isEmpty ? "there are no stubs" : "there are stubs for \(stubs.joined(separator: ", "))"
        return "no stub answers \(request): \(known); add one for it, or one for the rest"
    }
}

/// A stub whose file can't be read.
public struct StubUnreadable: LocalizedError, Sendable, CustomStringConvertible {
    /// The file.
    public let path: String
    /// Why.
    public let underlying: any Error

    /// The description.
    public var errorDescription: String? { description }

    /// Names the file and the reason.
    public var description: String { "the stub's file \(path) can't be read: \(underlying)" }
}
