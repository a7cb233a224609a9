import ReqcliText

/// The names under which a tool makes a new value for each request, and the placeholders of reqcli that mean the same. Imports and
/// exports use the same rows.
package struct GeneratedNames: Sendable {
    private let rows: KeyValuePairs<String, String>

    /// The placeholder for a name; if there are several, the first one.
    package func placeholder(named name: String) -> String? { rows.first { $0.key == name }?.value }

    /// The name for a placeholder; if there are several, the first one.
    package func name(of placeholder: String) -> String? {
        let known = Placeholder.Generated(meaning: placeholder)?.rawValue ?? placeholder.withSingleSpaces
        return rows.first { $0.value == known }?.key
    }

    /// Postman's names, which Bruno has, too. Of reqcli's `$randomInt`, Postman has only the first numbers.
    package static let postman = GeneratedNames(rows: [
        "$guid": "$uuid", "$randomUUID": "$uuid", "$timestamp": "$timestamp", "$isoTimestamp": "$isoTimestamp",
        "$randomInt": "$random.int 0 1000", "$randomInt": "$randomInt", "$randomAlphaNumeric": "$random.text 1",
        "$randomPassword": "$random.text 15",
    ])

    package static let hurl = GeneratedNames(rows: ["newUuid": "$uuid", "newDate": "$isoTimestamp"])

    /// The names in `.http` files for VS Code.
    package static let restClient = GeneratedNames(rows: [
        "$guid": "$uuid", "$timestamp": "$timestamp", "$datetime iso8601": "$isoTimestamp",
        "$randomInt 0 999999999": "$randomInt",
        "$datetime rfc1123": #"$now | date 'EEE, dd MMM yyyy HH:mm:ss \'GMT\''"#,
    ])

    /// The names in `.http` files for JetBrains' programs.
    package static let jetBrains = GeneratedNames(rows: [
        "$uuid": "$uuid", "$random.uuid": "$uuid", "$timestamp": "$timestamp", "$isoTimestamp": "$isoTimestamp",
        "$random.integer(0, 999999999)": "$randomInt", "$random.integer()": "$random.int 0 999",
        "$randomInt": "$randomInt",
    ])
}

extension Placeholder.Generated {
    /// The value that a placeholder with functions means, which has a name of its own.
    package init?(meaning placeholder: String) {
        switch placeholder.withSingleSpaces {
        case "$now | unix": self = .timestamp
        case "$now | iso": self = .isoTimestamp
        default: return nil
        }
    }
}

extension String {
    fileprivate var withSingleSpaces: String { split { $0 == " " }.joined(separator: " ") }
}
