import Foundation

/// What a URLRequest has no room for, as text: the order, spelling and repetition of its headers, and its options.
///
/// A header that stands once is recorded by its name alone and its value read from the request's dictionary, so that
/// a later `setValue(_:forHTTPHeaderField:)` shows. Each line of a repeated one is recorded with its value.
struct RequestRecord: Equatable {
    var lines: [Line] = []
    var options: [String: String] = [:]

    struct Line: Equatable {
        var name: String
        var value: String?
    }

    init(headers: HeaderFields, options: [String: String]) {
        lines = headers.map { field in
            let isRepeated = headers.count { $0.name.isSameHeader(as: field.name) } > 1
            return Line(name: field.name, value: isRepeated ? field.value : nil)
        }
        self.options = options
    }
}

// MARK: - Text

extension RequestRecord {
    private static let mark = "x-request-record"

    /// URL-fragment text: `mark&hNAME&hNAME=VALUE&oNAME=VALUE`, each name and value percent-encoded.
    var text: String {
        var text = Self.mark
        func add(_ kind: String, _ name: String, _ value: String?) {
            text += kind
            text += PercentEncoding.queryComponent(name)
            guard let value else { return }
            text += "="
            text += PercentEncoding.queryComponent(value)
        }
        for line in lines { add("&h", line.name, line.value) }
        for option in options.sorted(by: { $0.key < $1.key }) { add("&o", option.key, option.value) }
        return text
    }

    init?(text: Substring.UTF8View) {
        let pieces = Array(text).split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        guard pieces.first?.elementsEqual(Self.mark.utf8) == true else { return nil }
        for piece in pieces.dropFirst() {
            let pair = piece.dropFirst().split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = pair.first.map(PercentEncoding.decoded) else { return nil }
            let value = pair.count == 2 ? PercentEncoding.decoded(pair[1]) : nil
            switch piece.first {
            case UInt8(ascii: "h"): lines.append(Line(name: name, value: value))
            case UInt8(ascii: "o"): options[name] = value ?? ""
            default: return nil
            }
        }
    }
}

// MARK: - Headers

extension RequestRecord {
    /// The recorded lines brought up to date with the dictionary, which may have been changed since.
    func headerFields(reconciledWith dictionary: [String: String]) -> HeaderFields {
        if let fields = unrepeatedFields(in: dictionary) { return fields }
        var current: [String: [HeaderFields.Field]] = [:]
        for (name, value) in dictionary.sorted(by: { $0.key < $1.key }) {
            let values = values(of: name, now: value)
            current[name.asciiLowercased, default: []] += values.map { HeaderFields.Field(name, $0) }
        }
        var fields: [HeaderFields.Field] = []
        for (index, line) in lines.enumerated() {
            // Each recorded line takes one value; the last of its name takes what was added since.
            let isLast = !lines[(index + 1)...].contains { $0.name.isSameHeader(as: line.name) }
            let values = current[line.name.asciiLowercased, default: []]
            let taken = isLast ? values : Array(values.prefix(1))
            fields += taken.map { HeaderFields.Field(line.name, $0.value) }
            current[line.name.asciiLowercased] = Array(values.dropFirst(taken.count))
        }
        fields += current.values.joined().sorted { $0.name < $1.name }
        return HeaderFields(fields)
    }

    /// The short way where nothing repeats and no name has come or gone: each line has its one value.
    private func unrepeatedFields(in dictionary: [String: String]) -> HeaderFields? {
        guard dictionary.count == lines.count else { return nil }
        var fields: [HeaderFields.Field] = []
        fields.reserveCapacity(lines.count)
        for line in lines {
            guard line.value == nil, let value = dictionary[line.name] else { return nil }
            fields.append(HeaderFields.Field(line.name, value))
        }
        return HeaderFields(fields)
    }

    /// A name's values now: the recorded ones, those and what `addValue` put behind them, or what replaced them.
    private func values(of name: String, now current: String) -> [String] {
        let recorded = lines.filter { $0.name.isSameHeader(as: name) }.compactMap(\.value)
        let joined = HeaderFields.joined(name, recorded)
        if recorded.isEmpty { return [current] }
        if current.utf8.elementsEqual(joined.utf8) { return recorded }
        if current.utf8.starts(with: (joined + ",").utf8) {
            return recorded + [String(decoding: current.utf8.dropFirst(joined.utf8.count + 1), as: UTF8.self)]
        }
        return [current]
    }
}

extension HeaderFields {
    /// Repeated values as one, for those who can't send the name twice: with ";" for cookies, else with ",".
    static func joined(_ name: String, _ values: [String]) -> String {
        values.joined(separator: name.isSameHeader(as: "Cookie") ? "; " : ", ")
    }
}
