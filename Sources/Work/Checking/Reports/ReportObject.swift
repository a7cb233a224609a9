import ReqcliText
import RequestBuilding

/// The reason why a text is not a JSON report of `check`.
package struct UnreadableReport: Error {
    package let reason: String

    init(reason: String) { self.reason = reason }

    init(_ value: JSONValue, isNot expected: String) {
        let start = value.place.start
        reason = "\(start.line):\(start.column) is not \(expected)"
    }
}

/// An object of a JSON report. A key that is missing reads as nil. A value of a wrong type is an error.
struct ReportObject {
    private let value: JSONValue

    init(_ value: JSONValue) throws(UnreadableReport) {
        guard value.kind == .object else { throw UnreadableReport(value, isNot: "an object") }
        if let key = value.repeatedKey {
            let start = key.place.start
            throw UnreadableReport(reason: "a key is given twice at \(start.line):\(start.column)")
        }
        self.value = value
    }

    func has(_ key: String) -> Bool { value[key] != nil }

    func value<Value>(_ key: String, _ form: RecordForm<Value>) throws(UnreadableReport) -> Value? {
        guard let member = value[key] else { return nil }
        return try form.read(member)
    }

    func text(_ key: String) throws(UnreadableReport) -> String? { try value(key, .text) }

    func int(_ key: String) throws(UnreadableReport) -> Int? { try value(key, .int) }

    func object(_ key: String) throws(UnreadableReport) -> ReportObject? {
        guard let member = value[key] else { return nil }
        return try ReportObject(member)
    }

    /// The value of a required key.
    func required<Value>(_ key: String, _ found: Value?) throws(UnreadableReport) -> Value {
        guard let found else {
            let start = value.place.start
            throw UnreadableReport(reason: "\"\(key)\" is missing at \(start.line):\(start.column)")
        }
        return found
    }
}
