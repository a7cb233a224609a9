#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension URLRequest {
    /// The headers in the order and spelling in which they were given, repeated ones apart.
    ///
    /// `allHTTPHeaderFields`, a dictionary, says the same with repeated values joined, so any `URLSession` sends them.
    /// A change made there afterwards is seen here: a value set there replaces its lines, one added there follows them,
    /// a new name comes last.
    public var headerFields: HeaderFields {
        get { recorded.headers }
        set { setRecord(headers: newValue, options: optionTexts) }
    }

    /// The value of an option that was attached with ``RequestBuilder/option(_:_:)``, or that is attached here.
    public subscript<Option: RequestOption>(option option: Option.Type) -> Option.Value? {
        get { options[option] }
        set { attach { $0[option] = newValue } }
    }

    /// All of its options, read once, for whoever asks for several.
    package var options: AttachedOptions {
        AttachedOptions(texts: optionTexts)
    }

    /// Changes several of its options: each change alone would read and write the whole record.
    package mutating func attach(_ change: (inout AttachedOptions) -> Void) {
        var (headers, options) = recorded
        change(&options)
        setRecord(headers: headers, options: options.texts)
    }

    /// Headers and options, for whoever needs both.
    package var recorded: (headers: HeaderFields, options: AttachedOptions) {
        let record = record ?? RequestRecord(headers: HeaderFields(), options: OptionTexts())
        return (
            record.headerFields(reconciledWith: allHTTPHeaderFields ?? [:]), AttachedOptions(texts: record.options)
        )
    }

    var optionTexts: OptionTexts {
        record?.options ?? OptionTexts()
    }
}

// MARK: - Where the record is kept

/// `URLProtocol.setProperty` is meant for this, but swift-corelibs-foundation drops such properties whenever a request
/// is copied. What every copy keeps is `mainDocumentURL`, and its fragment is never sent and never looked at: the
/// record travels there, as a value, with no registry behind it that somebody would have to empty.
extension URLRequest {
    private var record: RequestRecord? {
        guard let text = mainDocumentURL?.absoluteString.utf8, let mark = text.firstIndex(of: UInt8(ascii: "#"))
        else { return nil }
        return RequestRecord(text: text[mark...].dropFirst())
    }

    mutating func setRecord(headers: HeaderFields, options: OptionTexts) {
        let new = RequestRecord(headers: headers, options: options)
        var dictionary = [String: String](minimumCapacity: headers.count)
        for (field, line) in zip(headers, new.lines) {
            if line.value == nil {
                dictionary[field.name] = field.value
            } else if !dictionary.keys.contains(where: { $0.isSameHeader(as: field.name) }) {
                dictionary[field.name] = HeaderFields.joined(field.name, headers.values(field.name))
            }
        }
        let isNeeded = headers.count > 1 || !options.isEmpty
        if isNeeded || record != nil, let page = mainDocumentURL ?? url {
            let text = page.absoluteString
            let end = text.utf8.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex
            mainDocumentURL = URL(string: String(text[..<end]) + (isNeeded ? "#" + new.text : ""))
        }
        allHTTPHeaderFields = dictionary
    }
}
