import ReqcliText
import RequestBuilding

/// The reason why a text is not a JSON report of `check`.
package struct UnreadableReport: Error {
    package let reason: String
}

/// An object of a JSON report. A missing key has no value. A value of another type than expected is an error.
struct ReportObject {
    private let value: JSONValue

    init(_ value: JSONValue) throws(UnreadableReport) {
        guard value.kind == .object else { throw Self.unreadable(value, "an object") }
        if let key = value.repeatedKey {
            let start = key.place.start
            throw UnreadableReport(reason: "a key is given twice at \(start.line):\(start.column)")
        }
        self.value = value
    }

    func has(_ key: String) -> Bool { value[key] != nil }

    func text(_ key: String) throws(UnreadableReport) -> String? {
        try read(key, "a string") { $0.string }
    }

    /// A string of a report. It needs no masking, because the report was masked when it was written.
    func wording(_ key: String) throws(UnreadableReport) -> Wording? { try text(key).map(Wording.init(own:)) }

    func int(_ key: String) throws(UnreadableReport) -> Int? {
        try read(key, "a whole number") { $0.number?.int }
    }

    func bool(_ key: String) throws(UnreadableReport) -> Bool? {
        try read(key, "true or false") { $0.bool }
    }

    /// A duration in milliseconds. A value that no run can take is an error.
    func duration(_ key: String) throws(UnreadableReport) -> Duration? {
        try read(key, "a number of milliseconds") { value in
            value.number?.int.flatMap { (0...1_000_000_000_000).contains($0) ? .milliseconds($0) : nil }
        }
    }

    func object(_ key: String) throws(UnreadableReport) -> ReportObject? {
        guard let member = value[key] else { return nil }
        return try ReportObject(member)
    }

    func texts(_ key: String) throws(UnreadableReport) -> [String] {
        try list(key) { (element) throws(UnreadableReport) in
            guard let text = element.string else { throw Self.unreadable(element, "a string") }
            return text
        }
    }

    func objects<Element>(
        _ key: String, _ make: (ReportObject) throws(UnreadableReport) -> Element
    ) throws(UnreadableReport) -> [Element] {
        try list(key) { (element) throws(UnreadableReport) in try make(ReportObject(element)) }
    }

    /// The value of a required key.
    func required<Value>(_ key: String, _ found: Value?) throws(UnreadableReport) -> Value {
        guard let found else { throw UnreadableReport(reason: "\"\(key)\" is missing at \(position)") }
        return found
    }

    /// A string that must be one of a fixed list of words.
    func word<Word: RawRepresentable<String>>(_ key: String) throws(UnreadableReport) -> Word? {
        guard let text = try text(key) else { return nil }
        guard let word = Word(rawValue: text) else {
            throw UnreadableReport(reason: "\"\(key)\" has an unknown value at \(position)")
        }
        return word
    }

    private var position: String { Self.position(of: value) }

    private static func position(of value: JSONValue) -> String {
        let start = value.place.start
        return "\(start.line):\(start.column)"
    }

    private static func unreadable(_ value: JSONValue, _ expected: String) -> UnreadableReport {
        UnreadableReport(reason: "\(position(of: value)) is not \(expected)")
    }

    private func read<Value>(
        _ key: String, _ expected: String, _ read: (JSONValue) -> Value?
    ) throws(UnreadableReport) -> Value? {
        guard let member = value[key] else { return nil }
        guard let result = read(member) else { throw Self.unreadable(member, expected) }
        return result
    }

    private func list<Element>(
        _ key: String, _ make: (JSONValue) throws(UnreadableReport) -> Element
    ) throws(UnreadableReport) -> [Element] {
        guard let member = value[key] else { return [] }
        guard member.kind == .array else { throw Self.unreadable(member, "a list") }
        var result: [Element] = []
        result.reserveCapacity(member.count)
        for element in member.elements { result.append(try make(element)) }
        return result
    }
}
