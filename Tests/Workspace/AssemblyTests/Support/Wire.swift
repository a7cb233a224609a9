import Foundation
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
@_spi(Generated) import RequestBuilding

/// A request as a test compares it: text, and nothing that every request has.
struct Wire: Equatable {
    /// `GET http://h/path?query`
    let line: String
    /// `Name: value`, in order, without what is built in.
    let headers: [String]
    /// Nil where there is none; the bytes of files as `<path>`.
    let body: String?

    init(_ assembled: AssembledRequest) {
        let request = assembled.request
        line = "\(request.method) \(request.url.absoluteString)"
        headers = request.headers.map { "\($0.name): \($0.value)" }
            .filter { $0 != "User-Agent: reqcli/test" && $0 != "Accept: */*" }
        body = request.body.map { source in
            source.pieces.map { piece in
                switch piece {
                case .data(let data): String(decoding: data, as: UTF8.self)
                case .file(let path): "<\(path)>"
                }
            }.joined()
        }
    }

    var url: String { String(line.drop { $0 != " " }.dropFirst()) }
    /// The part of the URL after the host.
    var target: String { String(url.dropFirst("http://h".count)) }
    var query: String { String(url.drop { $0 != "?" }) }

    subscript(header name: String) -> String? {
        headers.first { $0.lowercased().hasPrefix(name.lowercased() + ": ") }.map {
            String($0.dropFirst(name.count + 2))
        }
    }
}

extension AssembledRequest {
    /// The value that stands for a setting, as text; nil where there is none.
    func setting<Value>(_ key: TransferSetting<Value>) -> String? {
        builder.history().first { $0.subject == .setting(key.name) }?.standing.last?.value
    }
}

extension Failure {
    /// Mistakes in the call.
    var usage: [Diagnostic] { diagnostics.filter(\.isAboutCall) }

    /// Mistakes in the definitions, and values that can't be resolved.
    var definitions: [Diagnostic] { diagnostics.filter { !$0.isAboutCall } }

    /// Everything that a person would read.
    var messages: [String] {
        usage.map { $0.message + ($0.hint.map { " (\($0))" } ?? "") } + definitions.map(\.shown)
    }

    /// Where the diagnostics point, in order.
    var places: [String] { definitions.map { $0.place?.description ?? "nowhere" } }
}

extension Diagnostic {
    fileprivate var isAboutCall: Bool {
        fileName == nil && (code == .flagInvalid || code == .parameterInvalid)
    }
}

extension Diagnostic {
    /// `file:line:column: message (hint)`
    var shown: String {
        let start = place?.description ?? fileName ?? "nowhere"
        return "\(start): \(message)" + (hint.map { " (\($0))" } ?? "")
    }
}
