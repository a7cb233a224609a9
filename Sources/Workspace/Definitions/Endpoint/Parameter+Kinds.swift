import ReqcliJSONSchema
import ReqcliText

extension Parameter.Format {
    /// The format in messages.
    var phrase: String {
        switch self {
        case .dateTime: "a date-time such as \"2026-03-01T12:30:00Z\""
        case .date: "a date such as \"2026-03-01\""
        }
    }

    func accepts(_ text: String) -> Bool {
        switch self {
        case .dateTime: DateTimeText.isDateTime(text)
        case .date: DateTimeText.isDate(text)
        }
    }
}

extension Parameter.Kind {
    /// The name of this kind of value in messages.
    package var phrase: String {
        switch self {
        case .string: "text"
        case .integer: "a whole number"
        case .number: "a number"
        case .boolean: "true or false"
        case .json: "JSON"
        case .file: "the path of a file"
        case .list: "a list"
        }
    }

    func accepts(_ value: OrderedJSON) -> Bool {
        switch (self, value) {
        case (.json, _), (.string, .string), (.file, .string), (.boolean, .bool), (.number, .number), (.list, .array):
            true
        case (.integer, .number(let text)): JSONNumber(text)?.isInteger == true
        default: false
        }
    }
}
