import Foundation

/// What a URLRequest has no room for, as text: the order, spelling and repetition of its headers, and its options.
///
/// A header that stands once is recorded by its name alone and its value read from the request's dictionary, so that
/// a later `setValue(_:forHTTPHeaderField:)` shows. Each line of a repeated one is recorded with its value.
struct RequestRecord: Equatable {
    var lines: [Line] = []
    var options = OptionTexts()

    struct Line: Equatable {
        var name: String
        var value: String?
    }

    init(headers: HeaderFields, options: OptionTexts) {
        let repeats = headers.repeatsNames
        lines = headers.map { field in
            let isRepeated = repeats && headers.count { $0.name.isSameHeader(as: field.name) } > 1
            return Line(name: field.name, value: isRepeated ? field.value : nil)
        }
        self.options = options
    }
}

// MARK: - Text

extension RequestRecord {
    private static let mark = "x-request-record"

    /// URL-fragment text: `mark&hNAME&hNAME=VALUE&oNAME=VALUE`, each name and value percent-encoded.
    ///
    /// It is written and read for every request, byte by byte and without strings in between.
    var text: String {
        var text = Array(Self.mark.utf8)
        text.reserveCapacity(512)
        func add(_ kind: UInt8, _ name: String, _ value: String?) {
            text.append(UInt8(ascii: "&"))
            text.append(kind)
            PercentEncoding.append(queryComponent: name, to: &text)
            guard let value else { return }
            text.append(UInt8(ascii: "="))
            PercentEncoding.append(queryComponent: value, to: &text)
        }
        for line in lines { add(UInt8(ascii: "h"), line.name, line.value) }
        for option in options.all { add(UInt8(ascii: "o"), option.name, option.value) }
        return String(decoding: text, as: UTF8.self)
    }

    init?(text: Substring.UTF8View) {
        let record =
            text.withContiguousStorageIfAvailable { Self.read($0) } ?? Array(text).withUnsafeBufferPointer(Self.read)
        guard let record else { return nil }
        self = record
    }

    private static func read(_ text: UnsafeBufferPointer<UInt8>) -> RequestRecord? {
        var record = RequestRecord(headers: HeaderFields(), options: OptionTexts())
        var start = text.firstIndex(of: UInt8(ascii: "&")) ?? text.endIndex
        guard text[..<start].elementsEqual(mark.utf8) else { return nil }
        while start < text.endIndex {
            let kind = start + 1
            guard kind < text.endIndex else { return nil }
            let end = text[kind...].firstIndex(of: UInt8(ascii: "&")) ?? text.endIndex
            guard kind < end else { return nil }
            let equals = text[(kind + 1)..<end].firstIndex(of: UInt8(ascii: "="))
            let name = PercentEncoding.decoded(UnsafeBufferPointer(rebasing: text[(kind + 1)..<(equals ?? end)]))
            let value = equals.map { PercentEncoding.decoded(UnsafeBufferPointer(rebasing: text[($0 + 1)..<end])) }
            switch text[kind] {
            case UInt8(ascii: "h"): record.lines.append(Line(name: name, value: value))
            case UInt8(ascii: "o"): record.options[name] = value ?? ""
            default: return nil
            }
            start = end
        }
        return record
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
    fileprivate var repeatsNames: Bool {
        indices.contains { index in self[(index + 1)...].contains { $0.name.isSameHeader(as: self[index].name) } }
    }

    /// Repeated values as one, for those who can't send the name twice: with ";" for cookies, else with ",".
    static func joined(_ name: String, _ values: [String]) -> String {
        values.joined(separator: name.isSameHeader(as: "Cookie") ? "; " : ", ")
    }
}
