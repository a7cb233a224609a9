import Foundation
import RequestBuilding

/// The answers for one endpoint.
struct StubRoute: Sendable {
    let endpoint: String
    let method: HTTPMethod?
    var answers: [Stub]
    var afterwards: StubTransport.Afterwards

    /// What a message calls it.
    var name: String {
        let name = method.map { "\($0) \(endpoint)" } ?? endpoint
        return answers.count == 1 ? name : "\(name) (\(answers.count) answers)"
    }

    /// The more it says, the sooner it is taken.
    var weight: Int {
        endpoint.utf8.count * 2 + (method == nil ? 0 : 1)
    }

    func fits(_ request: PreparedRequest) -> Bool {
        if let method, method != request.method { return false }
        let url = request.url
        let query = endpoint.contains("?") ? url.query(percentEncoded: true).map { "?\($0)" } ?? "" : ""
        let path = url.path(percentEncoded: true) + query
        return path == endpoint || path.hasSuffix(endpoint.hasPrefix("/") ? endpoint : "/\(endpoint)")
    }

    /// The next answer after so many; nil if there are no more.
    func answer(after count: Int) -> Stub? {
        if count < answers.count { return answers[count] }
        return switch afterwards {
        case .last: answers.last
        case .loop: answers.isEmpty ? nil : answers[count % answers.count]
        case .fail: nil
        }
    }
}
