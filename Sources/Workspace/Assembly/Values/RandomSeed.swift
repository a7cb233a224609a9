import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// A seed, with which random values are the same on every machine. Each value is a hash of the seed, the call and the place, and
/// not the next one of a stream: a new placeholder changes no other value.
package struct RandomSeed: Sendable, Equatable {
    private let text: String

    package init(_ text: String) { self.text = text }

    /// 32 random bytes for a placeholder of a call.
    func bytes(for call: Call, at place: Place) -> [UInt8] {
        let file = place.file.name.split(separator: "/").last.map(String.init) ?? ""
        let spot = [text, call.endpoint.id, call.environment.name, call.flow ?? "", file, "\(place.range.lowerBound)"]
        // A secret could be guessed from the value.
        let arguments = call.arguments.filter { call.endpoint.parameters[named: $0.name]?.isSecret != true }
            .map { "\($0.name)=\($0.source.text)" }
        return SHA256.hash(OrderedJSON.array((spot + arguments).map { .string($0) }).compact.utf8)
    }
}

extension ParameterArgument.Source {
    fileprivate var text: String {
        switch self {
        case .text(let text): text
        case .file(let path): "@\(path)"
        case .value(let value): value.plainText
        }
    }
}

extension [UInt8] {
    /// The first 16 bytes as a random UUID (RFC 9562, version 4).
    var uuid: String {
        var bytes = Array(prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let hex = Array(bytes.hex.utf8)
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(decoding: hex[$0], as: UTF8.self) }
            .joined(separator: "-")
    }
}
