import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
package import ReqcliRedaction
import ReqcliText

/// The secrets in one request, whether the request is valid or not. These secrets are masked in the journal, in the log, in
/// messages about the request, and in a recorded response.
package final class RequestSecrets: Sendable {
    /// The most values that are searched for one by one.
    package static let limit = 1000

    /// The names of the fields that hold secrets.
    let fields: SecretFields
    /// The numbers of the path's segments that hold a secret.
    let segments: Set<Int>
    /// The secret values; incomplete if `areTooMany`.
    package let values: [Redactor.Secret]
    /// Whether the body may have a secret in a place that isn't known.
    let hidesBody: Bool
    /// Whether there are so many values that a search for all of them would take long. In that case, everything quoted from the
    /// request is masked.
    package let areTooMany: Bool
    /// The values in the forms for masking and searching, computed when something is shown for the first time. Computing them
    /// takes longer than a request.
    private let knownForms = LazyReference<Forms>()

    private final class Forms: Sendable {
        let redactor: Redactor
        let values: Set<String>

        init(_ secrets: [Redactor.Secret]) {
            redactor = Redactor(secrets)
            values = Set(secrets.map(\.value))
        }
    }

    fileprivate init(
        _ fields: SecretFields, _ segments: Set<Int>, _ values: [Redactor.Secret], hidesBody: Bool, areTooMany: Bool
    ) {
        self.fields = fields
        self.segments = segments
        self.values = values
        self.hidesBody = hidesBody || areTooMany
        self.areTooMany = areTooMany
    }

    /// The secrets in the forms that are needed for masking and searching.
    private var forms: Forms { knownForms.value ?? knownForms.keep(Forms(values)) }

    /// The approximate memory of the secrets in bytes, once something was shown.
    var size: Int { values.reduce(0) { $0 + 8 * ($1.label.utf8.count + $1.value.utf8.count) + 256 } }

    /// The text with a mask in place of each secret.
    func masking(_ text: String) -> String {
        areTooMany ? RequestMask.mask : forms.redactor.masking(text, with: RequestMask.mask)
    }

    /// The wording, with masks in the parts that quote the request.
    func masking(_ wording: Wording) -> Wording {
        if areTooMany { return wording.replacingQuotes(with: RequestMask.mask) }
        return forms.redactor.masking(wording, with: RequestMask.mask)
    }

    /// Whether a text is one of the secrets.
    func has(_ text: String) -> Bool { areTooMany || forms.values.contains(text) }
}

/// Collects the secrets of a request.
struct SecretCollector {
    private let request: IncomingRequest
    private var fields: [SecretFields] = []
    private var segments: Set<Int> = []
    private var values: [Redactor.Secret] = []
    private var knownValues: Set<String> = []
    private var hidesBody = false
    private var areTooMany = false

    init(_ request: IncomingRequest) { self.request = request }

    /// The collected secrets; nil if the request can't have secrets.
    var secrets: RequestSecrets? {
        guard let first = fields.first else { return nil }
        return RequestSecrets(
            fields.count == 1 ? first : SecretFields(fields), segments, values, hidesBody: hidesBody,
            areTooMany: areTooMany)
    }

    private mutating func add(_ label: String, _ text: String) {
        if areTooMany { return }
        if values.count == RequestSecrets.limit, !text.isEmpty, !knownValues.contains(text) {
            areTooMany = true
        } else if !text.isEmpty, knownValues.insert(text).inserted {
            values.append(Redactor.Secret(label: label, value: text))
        }
    }

    /// Adds a value and every text in it.
    mutating func add(_ label: String, _ value: OrderedJSON) {
        switch value {
        case .string(let text), .number(let text): add(label, text)
        case .array(let elements): for element in elements { add(label, element) }
        case .object(let members): for member in members { add(label, member.value) }
        case .null, .bool: break
        }
    }

    /// Adds the values in the secret gaps of a text. If the text does not fit the pattern, the whole text is added.
    private mutating func add(_ text: String, as pattern: TextPattern, _ fields: SecretFields, _ label: String) {
        guard pattern.onlyGap == nil, let found = pattern.values(in: text, allowsEmpty: true), fields.has(pattern)
        else {
            return add(pattern.gaps.first(where: fields.has)?.label ?? label, text)
        }
        for (gap, value) in zip(pattern.gaps, found) where fields.has(gap) { add(gap.label, value) }
    }

    // MARK: The parts of a request

    /// Adds the secrets of a request whose path fits a pattern.
    ///
    /// - Parameters:
    ///   - path: The pattern's segments for this path.
    mutating func read(_ pattern: RequestPattern, _ path: [TextPattern], _ reading: RequestReading = .nothing) {
        guard let fields = pattern.secretFields else { return }
        self.fields.append(fields)
        for (index, (segment, text)) in zip(path, request.segments).enumerated() where fields.has(segment) {
            segments.insert(index)
            add(text, as: segment, fields, "path")
        }
        read(request.query, pattern.query, fields.query, fields)
        for field in request.query {
            let item = fields.openItems.first { $0.openName?.values(in: field.name, allowsEmpty: true) != nil }
            guard let item, let name = item.openName else { continue }
            if fields.has(name) { add(field.name, as: name, fields, "name") }
            if item.values.contains(where: fields.has) { add(field, item, fields) }
        }
        for header in request.headers where fields.headers.contains(header.name.lowercased()) {
            let item = fields.headerItems.first { $0.name.lowercased() == header.name.lowercased() }
            add(header, item, fields)
        }
        if fields.isInBody, !request.body.isEmpty {
            readBody(pattern, fields, reading.json)
            // Hides an encoded body, because it is shown as received and secrets in it can't be found.
            if request.header("Content-Encoding") != nil { hidesBody = true }
        }
        // Also add the elements of a list that was sent as one string.
        let parameters = pattern.endpoint.parameters
        for index in parameters.indices where parameters[index].value.isSecret {
            if let value = reading.parameters[parameters[index].name] { add(parameters[index].name, value) }
        }
    }

    private mutating func add(_ field: IncomingRequest.Field, _ item: RequestPattern.Item?, _ fields: SecretFields) {
        if let pattern = item?.values.first(where: fields.has) {
            add(field.value, as: pattern, fields, field.name)
        } else {
            add(field.name, field.value)
        }
    }

    private mutating func read(
        _ found: [IncomingRequest.Field], _ items: [RequestPattern.Item], _ names: Set<String>, _ fields: SecretFields
    ) {
        for field in found where names.contains(field.name) {
            add(field, items.first { $0.name == field.name }, fields)
        }
    }

    private mutating func readBody(_ pattern: RequestPattern, _ fields: SecretFields, _ json: JSONValue?) {
        switch pattern.body {
        case .json(let wanted), .graphQL(let wanted):
            guard let value = json.map(OrderedJSON.init) ?? bodyAsJSON else { break }
            return read(value, wanted, fields)
        case .form(let items) where request.mediaType?.isForm == true:
            let found = IncomingRequest.fields(String(decoding: request.content, as: UTF8.self))
            return read(found, items, fields.body, fields)
        case .text(let wanted):
            let text = String(decoding: request.content, as: UTF8.self)
            guard !request.isCut, wanted.values(in: text, allowsEmpty: true) != nil else { break }
            return add(text, as: wanted, fields, "body")
        case .multipart(let items):
            guard let form = MultipartText(request) else { break }
            return read(
                form.parts.map { IncomingRequest.Field($0.name, $0.value) }, items, fields.body, fields)
        case .none, .form, .other: break
        }
        hidesBody = true
    }

    private var bodyAsJSON: OrderedJSON? {
        request.isCut ? nil : OrderedJSON(parsing: String(decoding: request.content, as: UTF8.self))
    }

    private mutating func read(_ found: OrderedJSON, _ wanted: OrderedJSON, _ fields: SecretFields) {
        switch (wanted, found) {
        case (.string(let text), _):
            let pattern = TextPattern(text)
            guard fields.has(pattern) else { return }
            if case .string(let text) = found {
                add(text, as: pattern, fields, "body")
            } else {
                add(pattern.gaps.first(where: fields.has)?.label ?? "body", found)
            }
        case (.array(let elements), .array(let values)):
            // A list may have more elements than its pattern. The last element of the pattern is used for the rest.
            for (index, value) in values.enumerated() {
                guard let element = index < elements.count ? elements[index] : elements.last else { return }
                read(value, element, fields)
            }
        case (.object(let members), .object(let values)):
            for member in members {
                for value in values where value.name == member.name { read(value.value, member.value, fields) }
            }
        case (.array(let elements), _): for element in elements { read(found, element, fields) }
        case (.object(let members), _): for member in members { read(found, member.value, fields) }
        case (.null, _), (.bool, _), (.number, _): break
        }
    }

    // MARK: Requests without an endpoint

    /// Adds fields that are secret by their names.
    mutating func read(_ fields: SecretFields) {
        self.fields.append(fields)
        read(request.query, [], fields.query, fields)
        for header in request.headers where fields.headers.contains(header.name.lowercased()) {
            add(header.name, header.value)
        }
    }

    /// Adds a segment of the path.
    mutating func addSegment(_ index: Int) {
        segments.insert(index)
        add("path", request.segments[index])
    }
}

extension OpenValue {
    /// The label of the value in the masks of a recorded response.
    fileprivate var label: String {
        switch self {
        case .parameter(let name), .variable(let name), .processVariable(let name): name
        case .secret(let name): "secret.\(name)"
        case .capture(let alias, let name): "\(alias).\(name)"
        case .generated: "generated"
        }
    }
}
