import ReqcliBasics
package import ReqcliDefinitions
import ReqcliFunctions
package import ReqcliText
import RequestBuilding

/// A value that is not known when a request is exported, or when received requests are compared with it. A stand-in takes the
/// place of the value.
package enum OpenValue: Hashable, Sendable {
    case parameter(String)
    /// A variable of the environment.
    case variable(String)
    case secret(String)
    /// A value captured by a needed endpoint, by the alias of that endpoint in `needs`.
    case capture(alias: String, name: String)
    case generated(Placeholder.Generated)
    case processVariable(String)
    /// A value that functions make: the placeholder, and the open values in it.
    case computed(String, of: [OpenValue])

    /// Whether the value is another one for each request, and depends on no other value.
    package var isGenerated: Bool {
        switch self {
        case .generated: true
        case .computed(let text, let values): values.isEmpty && (text.hasPrefix("$random.") || text.hasPrefix("$now"))
        default: false
        }
    }

    /// Whether the value is always a number.
    package var isNumber: Bool {
        switch self {
        case .generated(.timestamp), .generated(.randomInt): true
        case .computed(let text, _):
            ((try? Pipeline.read(text) { _ throws(PipelineProblem) in .json }) ?? nil)?.givesNumber == true
        default: false
        }
    }

    /// The placeholder that the value stands for, as it is written between the braces.
    package var text: String {
        switch self {
        case .parameter(let name), .variable(let name): name
        case .secret(let name): Placeholder.secret(name).text
        case .capture(let alias, let name): Placeholder.capture(alias: alias, name: name).text
        case .generated(let generated): generated.rawValue
        case .processVariable(let name): Placeholder.processVariable(name).text
        case .computed(let text, _): text
        }
    }
}

/// A part of a string in a request with open values.
package enum OpenPiece: Hashable, Sendable {
    case literal(String)
    case open(OpenValue)

    package var value: OpenValue? { if case .open(let value) = self { value } else { nil } }
}

/// Strings that replace open values while a request is assembled.
///
/// A stand-in is made of letters and digits, so that it passes unchanged through URLs, JSON, headers and forms, and it contains
/// the name of the value that it replaces.
package enum StandIn {
    private static let mark = "zqx0reqcli"
    private static let end = "q"
    /// The stand-ins for a generated time and a generated number. A file is unlikely to contain these numbers by chance.
    package static let time = 9_013_524_871.0
    package static let randomInt = 7_013_524_873_001
    private static let numbers: [(text: String, value: OpenValue)] = [
        (String(randomInt), .generated(.randomInt)), (String(Int(time)), .generated(.timestamp)),
        (Timestamp.iso8601(time), .generated(.isoTimestamp)),
        (PercentEncoding.queryComponent(Timestamp.iso8601(time)), .generated(.isoTimestamp)),
    ]

    package static func text(for value: OpenValue) -> String {
        switch value {
        case .parameter(let name): text("p", [name])
        case .variable(let name): text("v", [name])
        case .secret(let name): text("s", [name])
        case .capture(let alias, let name): text("c", [alias, name])
        case .processVariable(let name): text("e", [name])
        case .generated(.uuid): text("u", [])
        case .generated(.timestamp): numbers[1].text
        case .generated(.isoTimestamp): numbers[2].text
        case .generated(.randomInt): numbers[0].text
        case .computed(let written, let values): text("f", [written] + values.map { text(for: $0) })
        }
    }

    private static func text(_ kind: String, _ names: [String]) -> String {
        var bytes = Array(mark.utf8) + kind.utf8
        for name in names {
            for byte in name.utf8 { bytes += [digit(byte >> 4), digit(byte & 15)] }
            bytes.append(UInt8(ascii: "x"))
        }
        return String(decoding: bytes + end.utf8, as: UTF8.self)
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? .zero + value : UInt8(ascii: "a") + value - 10 }

    /// The text with another text in place of each stand-in.
    package static func replacing(in text: String, _ replacement: (OpenValue) -> String) -> String {
        pieces(of: text).map { piece in
            switch piece {
            case .literal(let text): text
            case .open(let value): replacement(value)
            }
        }.joined()
    }

    /// The text with the placeholder `{{name}}` in place of each stand-in.
    package static func template(of text: String) -> String { replacing(in: text) { "{{\($0.text)}}" } }

    /// The text for a person: a template, in which no rest of a stand-in that was cut off is left.
    package static func shown(_ text: String) -> String {
        let whole = template(of: text)
        guard let cut = whole.firstRange(of: mark) else { return whole }
        let rest = whole[cut.upperBound...].drop { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return whole[..<cut.lowerBound] + "{{…}}" + shown(String(rest))
    }

    /// The text, split into its stand-ins and the literal parts between them.
    package static func pieces(of text: String) -> [OpenPiece] {
        let bytes = Array(text.utf8)
        var pieces: [OpenPiece] = []
        var pending: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if let (value, length) = value(in: bytes, at: index) {
                if !pending.isEmpty { pieces.append(.literal(String(decoding: pending, as: UTF8.self))) }
                pending = []
                pieces.append(.open(value))
                index += length
            } else {
                pending.append(bytes[index])
                index += 1
            }
        }
        if !pending.isEmpty { pieces.append(.literal(String(decoding: pending, as: UTF8.self))) }
        return pieces
    }

    /// The open value, if the whole text is a single stand-in.
    package static func onlyValue(of text: String) -> OpenValue? {
        guard let (value, length) = value(in: Array(text.utf8), at: 0), length == text.utf8.count else { return nil }
        return value
    }

    private static func value(in bytes: [UInt8], at start: Int) -> (OpenValue, length: Int)? {
        switch bytes.isEmpty ? 0 : bytes[start] {
        case UInt8(ascii: "z"): named(in: bytes, at: start)
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            numbers.first { bytes[start...].starts(with: $0.text.utf8) }.map { ($0.value, $0.text.utf8.count) }
        default: nil
        }
    }

    private static func named(in bytes: [UInt8], at start: Int) -> (OpenValue, length: Int)? {
        guard bytes[start...].starts(with: mark.utf8) else { return nil }
        var index = start + mark.utf8.count
        guard index < bytes.count else { return nil }
        let kind = bytes[index]
        index += 1
        var names: [String] = []
        var name: [UInt8] = []
        while index < bytes.count, bytes[index] != UInt8(ascii: "q") {
            if bytes[index] == UInt8(ascii: "x") {
                names.append(String(decoding: name, as: UTF8.self))
                name = []
                index += 1
            } else {
                guard index + 1 < bytes.count, let high = bytes[index].hexValue, let low = bytes[index + 1].hexValue
                else { return nil }
                name.append(high << 4 | low)
                index += 2
            }
        }
        guard index < bytes.count, name.isEmpty else { return nil }
        let length = index + 1 - start
        switch (kind, names.count) {
        case (UInt8(ascii: "p"), 1): return (.parameter(names[0]), length)
        case (UInt8(ascii: "v"), 1): return (.variable(names[0]), length)
        case (UInt8(ascii: "s"), 1): return (.secret(names[0]), length)
        case (UInt8(ascii: "e"), 1): return (.processVariable(names[0]), length)
        case (UInt8(ascii: "c"), 2): return (.capture(alias: names[0], name: names[1]), length)
        case (UInt8(ascii: "u"), 0): return (.generated(.uuid), length)
        case (UInt8(ascii: "f"), 1...):
            return (.computed(names[0], of: names.dropFirst().compactMap { onlyValue(of: $0) }), length)
        default: return nil
        }
    }
}

extension OrderedJSON {
    /// Whether the value is the stand-in of a param and nothing else.
    package var isOpenParameter: Bool {
        guard case .string(let text) = self, case .parameter? = StandIn.onlyValue(of: text) else { return false }
        return true
    }

    /// Whether one of the strings or numbers in the value contains a stand-in.
    package var hasOpenValues: Bool { !openValues.isEmpty }

    /// The values whose stand-ins are in the strings and numbers of the value.
    package var openValues: [OpenValue] {
        switch self {
        case .string(let text), .number(let text): StandIn.pieces(of: text).compactMap(\.value)
        case .array(let elements): elements.flatMap(\.openValues)
        case .object(let members): members.flatMap(\.value.openValues)
        case .null, .bool: []
        }
    }

    /// The value with each stand-in replaced by the result of the closure. If the result is nil, the stand-in stays unchanged.
    package func filling(_ value: (OpenValue) -> OrderedJSON?) -> OrderedJSON {
        switch self {
        case .string(let text), .number(let text):
            let pieces = StandIn.pieces(of: text)
            guard pieces.contains(where: { $0.value != nil }) else { return self }
            if pieces.count == 1, let open = pieces[0].value { return value(open) ?? self }
            return .string(
                pieces.map { piece in
                    switch piece {
                    case .literal(let text): text
                    case .open(let open): value(open).map(\.plainText) ?? StandIn.text(for: open)
                    }
                }.joined())
        case .array(let elements):
            // The stand-in of a list param is a list with one element.
            if elements.count == 1, case .string(let text) = elements[0], let open = StandIn.onlyValue(of: text),
                case .array(let values)? = value(open)
            {
                return .array(values)
            }
            return .array(elements.map { $0.filling(value) })
        case .object(let members): return .object(members.map { Member($0.name, $0.value.filling(value)) })
        case .null, .bool: return self
        }
    }
}
