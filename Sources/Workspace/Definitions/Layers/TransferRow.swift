package import ReqcliText
@_spi(Generated) package import RequestBuilding

/// A transfer setting, as files, flags, curl commands and generated code write it.
package struct TransferRow: Sendable {
    /// The name, such as `tls.minVersion`: the object in a file, a dot, and the key in this object.
    package let name: String
    /// The constant of the setting in Swift: `minimumTLSVersion`.
    package let constant: String
    package let text: SettingText
    package let flags: [Flag]
    /// The change for `null` in place of the whole object.
    package let whenNull: TransferChange
    /// Whether a saved endpoint keeps the setting. False for a setting that belongs to one machine or one call.
    package let isKept: Bool
    /// The setting, if its value is the path of a file.
    package let file: TransferSetting<String>?

    /// The key of a file; nil if files don't have the setting.
    let field: Field<TransferLayer>?
    private let makeChange: @Sendable ([String]) throws(SettingComplaint) -> TransferChange
    private let makeJSON: @Sendable (String) -> OrderedJSON
    private let makeSwift: @Sendable (String) -> SwiftExpression?
    private let makeCurl: @Sendable (TransferSettings) -> [CurlOption]

    /// A flag that sets or changes the setting.
    package struct Flag: Sendable {
        package enum Kind: Sendable {
            /// `--follow` and `--no-follow`
            case toggle
            /// Sets this value.
            case sets(String)
            case value
            /// Each use adds a value.
            case repeated
        }

        package let name: String
        package let short: Character?
        package let kind: Kind
        package let summary: String
        /// The behaviour without the flag, in words.
        package let otherwise: String?

        init(
            _ name: String, short: Character? = nil, _ summary: String, kind: Kind = .value,
            otherwise: String? = nil
        ) {
            (self.name, self.short, self.kind, self.summary, self.otherwise) = (name, short, kind, summary, otherwise)
        }
    }

    /// An option of curl with its value; nil for an option without a value.
    package typealias CurlOption = (option: String, value: String?)

    /// - Parameters:
    ///   - constant: The name of the key in Swift.
    ///   - summary: The meaning of the key in a file; nil if files don't have the setting.
    ///   - standard: The value for `null` in place of the whole object; nil for no value.
    init<Value>(
        _ key: TransferSetting<Value>, _ constant: String, _ codec: SettingCodec<Value>, _ summary: String?,
        standard: Value? = nil, isKept: Bool = true, flags: [Flag] = [],
        curl: @escaping @Sendable (Value) -> [CurlOption] = { _ in [] }
    ) {
        let parse = codec.parse
        self.init(
            key, constant, codec.text, flags,
            whenNull: standard.map { key.to($0) } ?? key.removed,
            field: codec.shape.flatMap { shape in
                summary.map { Field(Self.key(of: key.name), .setting(shape), $0) { $0.set(key, $1) } }
            },
            isKept: isKept, curl: curl, json: codec.json, swift: codec.swift
        ) { (texts) throws(SettingComplaint) in try parse(texts.last ?? "") }
    }

    /// A row for a list that files don't have. Each use of its flag adds an element.
    init<Element>(
        list key: TransferSetting<[Element]>, _ constant: String, _ codec: SettingCodec<Element>, flags: [Flag],
        curl: @escaping @Sendable ([Element]) -> [CurlOption]
    ) {
        let parse = codec.parse
        self.init(
            key, constant, codec.text, flags, whenNull: key.removed, field: nil, curl: curl, json: codec.json,
            swift: { .code("\($0)") }
        ) { (texts) throws(SettingComplaint) in
            var elements: [Element] = []
            for text in texts { elements.append(try parse(text)) }
            return elements
        }
    }

    /// A row for a setting whose value is the path of a file. In a definition, this path may contain placeholders.
    init(
        file key: TransferSetting<String>, _ constant: String, _ summary: String, flags: [Flag],
        curl: @escaping @Sendable (String) -> [CurlOption]
    ) {
        self.init(
            key, constant, SettingText("FILE", expected: "the path of a file", isPath: true), flags,
            whenNull: key.removed,
            field: Field(Self.key(of: key.name), .setting(.filePath), summary) { $0.setFile(key, $1) },
            file: key, curl: curl, json: { .string($0) }, swift: { .string($0) }
        ) { (texts) throws(SettingComplaint) in texts.last ?? "" }
    }

    private init<Value>(
        _ key: TransferSetting<Value>, _ constant: String, _ text: SettingText, _ flags: [Flag],
        whenNull: TransferChange, field: Field<TransferLayer>?, isKept: Bool = true,
        file: TransferSetting<String>? = nil, curl: @escaping @Sendable (Value) -> [CurlOption],
        json: @escaping @Sendable (String) -> OrderedJSON, swift: @escaping @Sendable (Value) -> SwiftExpression,
        parse: @escaping @Sendable ([String]) throws(SettingComplaint) -> Value
    ) {
        (name, self.constant, self.text, self.flags) = (key.name, constant, text, flags)
        (self.whenNull, self.field, self.isKept, self.file) = (whenNull, field, isKept, file)
        makeChange = { (texts) throws(SettingComplaint) in key.to(try parse(texts)) }
        makeJSON = json
        makeSwift = { text in (try? parse([text])).map(swift) }
        makeCurl = { settings in key.value(in: settings).map(curl) ?? [] }
    }

    private static func key(of name: String) -> String { name.split(separator: ".").last.map(String.init) ?? name }

    /// The change that sets the value from a text. For a list, there is one text for each element.
    package func change(_ texts: [String]) throws(SettingComplaint) -> TransferChange { try makeChange(texts) }

    /// The value in Swift; nil if the text is no value.
    package func swift(_ text: String) -> SwiftExpression? { makeSwift(text) }

    /// The options with which curl does the same.
    package func curlOptions(_ settings: TransferSettings) -> [CurlOption] { makeCurl(settings) }

    /// The value as a file writes it; nil if files don't have the setting.
    package func value(_ text: String) -> OrderedJSON? { field == nil ? nil : makeJSON(text) }

    /// The setting as a file writes it: `"tls": {"minVersion": "1.2"}`. Nil if files don't have the setting.
    package func member(_ text: String) -> OrderedJSON.Member? {
        guard let value = value(text) else { return nil }
        // A duration alone limits the whole transfer.
        if name == TransferSetting.totalTimeout.name { return OrderedJSON.Member("timeout", value) }
        let parts = name.split(separator: ".").map(String.init)
        return parts.count == 1
            ? OrderedJSON.Member(name, value)
            : OrderedJSON.Member(parts[0], .object([OrderedJSON.Member(parts[1], value)]))
    }
}
