import Foundation
public import RequestBuilding

/// The error for a request that has no stub, or whose stubs have all been used.
public struct StubMissing: DescribedError, Hashable, Sendable {
    /// The method and URL of the request.
    public let request: String
    /// The patterns that have stubs.
    public let stubs: [String]
    /// The pattern that matches the request and whose stubs have all been used; nil if no pattern matches.
    public let exhausted: String?

    /// The request and the patterns that have stubs.
    public var description: String {
        if let exhausted { return "no stub answers \(request): \(exhausted) has no response left" }
        let known = stubs.isEmpty ? "there are no stubs" : "there are stubs for \(stubs.joined(separator: ", "))"
        return "no stub answers \(request): \(known); add a stub for this request, or a stub for all other requests"
    }
}

/// The error for a stub whose file cannot be read.
package struct StubUnreadable: DescribedError, Sendable {
    /// The file.
    package let path: String
    /// The error that occurred when the file was read.
    package let underlying: any Error

    /// The file and the reason.
    public var description: String { "the stub's file \(path) can't be read: \(underlying)" }
}
