import Foundation
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
package import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// Collects the secrets of a request.
struct SecretCollector {
    private let request: IncomingRequest
    private var fields: [SecretFields] = []
    private var segments: Set<Int> = []
    fileprivate private(set) var values: [Redactor.Secret] = []
    private var knownValues: Set<String> = []
    private var hidesBody = false
    fileprivate private(set) var areTooMany = false

    init(_ request: IncomingRequest) { self.request = request }

    /// The mask for the collected secrets; nil if the request can't have secrets of an endpoint.
    var mask: RequestMask? {
        guard let first = fields.first else { return nil }
        return RequestMask(
            fields.count == 1 ? first : SecretFields(fields), segments, values, hidesBody: hidesBody,
            areTooMany: areTooMany)
    }

    fileprivate mutating func add(_ label: String, _ text: some StringProtocol) {
        if areTooMany || text.isEmpty { return }
        let text = String(text)
        if values.count == RequestMask.limit, !knownValues.contains(text) {
            areTooMany = true
        } else if knownValues.insert(text).inserted {
            values.append(Redactor.Secret(label: label, value: text))
        }
    }

    /// Adds every string and number in a value.
    private mutating func add(_ label: String, _ value: OrderedJSON) {
        for (_, value) in value.namedValues {
            switch value {
            case .string(let text), .number(let text): add(label, text)
            case .array, .object, .null, .bool: break
            }
        }
    }

    /// Adds the values in the secret gaps of a text. If the text does not fit the pattern, the whole text is added.
    private mutating func add(_ text: String, as pattern: TextPattern, _ fields: SecretFields, _ label: String) {
        guard pattern.onlyGap == nil, let found = pattern.values(in: text, allowsEmpty: true) else {
            return add(pattern.gaps.first(where: fields.has)?.label ?? label, text)
        }
        for (gap, value) in zip(pattern.gaps, found) where fields.has(gap) { add(gap.label, value) }
    }

    /// Adds the values of fields that are secret by their names.
    private mutating func add(
        _ found: [IncomingRequest.Field], in part: IncomingRequest.Part, _ fields: SecretFields
    ) {
        for field in found {
            if let pattern = fields.pattern(of: field.name, in: part) {
                add(field.value, as: pattern, fields, field.name)
            }
        }
    }

    // MARK: The secrets of an endpoint

    /// Adds the secrets of a request whose path fits a pattern.
    ///
    /// - Parameter path: The pattern's segments for this path.
    mutating func read(_ pattern: RequestPattern, _ path: [TextPattern], _ reading: RequestReading = .nothing) {
        guard let fields = pattern.secretFields else { return }
        for (index, (segment, text)) in zip(path, request.segments).enumerated() where fields.has(segment) {
            segments.insert(index)
            add(text, as: segment, fields, "path")
        }
        read(fields)
        for field in request.query {
            let item = fields.openItems.first { $0.openName?.values(in: field.name, allowsEmpty: true) != nil }
            guard let item, let name = item.openName else { continue }
            if fields.has(name) { add(field.name, as: name, fields, "name") }
            if let value = item.values.first(where: fields.has) { add(field.value, as: value, fields, field.name) }
        }
        if fields.isInBody, !request.body.isEmpty {
            let isKnown = readBody(pattern.body, fields, reading.json)
            // Hides an encoded body, because it is shown as received and secrets in it can't be found.
            if !isKnown || request.header("Content-Encoding") != nil { hidesBody = true }
        }
        // Also add the elements of a list that was sent as one string.
        let parameters = pattern.endpoint.parameters
        for index in parameters.indices where parameters[index].value.isSecret {
            if let value = reading.parameters[parameters[index].name] { add(parameters[index].name, value) }
        }
    }

    /// Adds the values of query items and headers that are secret by their names.
    mutating func read(_ fields: SecretFields) {
        self.fields.append(fields)
        add(request.query, in: .query, fields)
        add(request.headers, in: .headers, fields)
    }

    /// Adds a segment of the path.
    mutating func addSegment(_ index: Int) {
        segments.insert(index)
        add("path", request.segments[index])
    }

    /// Adds the secrets of the body. Returns false if the body has another form than the endpoint sends, so that a secret may be
    /// anywhere in it.
    private mutating func readBody(
        _ body: RequestPattern.Content, _ fields: SecretFields, _ json: JSONValue?
    ) -> Bool {
        switch body {
        case .json(let wanted), .graphQL(let wanted):
            // A body of another type is read, too, and so is JSON with damaged characters.
            let value = json.map(OrderedJSON.init) ?? (request.isCut ? nil : OrderedJSON(parsing: request.text))
            guard let value else { return false }
            read(value, wanted, fields)
        case .form, .multipart:
            guard let found = request.formFields, request.mediaType?.isMultipart == body.isMultipart else {
                return false
            }
            add(found, in: .body, fields)
        case .text(let wanted):
            guard !request.isCut, wanted.values(in: request.text, allowsEmpty: true) != nil else { return false }
            add(request.text, as: wanted, fields, "body")
        case .none, .other: return false
        }
        return true
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
}

// MARK: - Values that look like secrets

extension RequestReading {
    /// All secrets that the request carries: those of its endpoint, and values that look like secrets. If a response repeats one
    /// of them, it is removed before the response is kept.
    ///
    /// Nil if there are so many secrets that a search for all of them would take long.
    package func allSecrets(of request: IncomingRequest) -> [Redactor.Secret]? {
        var collector = SecretCollector(request)
        for secret in knownMask?.values ?? [] { collector.add(secret.label, secret.value) }
        collector.readLikely(json)
        return knownMask?.areTooMany == true || collector.areTooMany ? nil : collector.values
    }
}

extension SecretCollector {
    fileprivate mutating func readLikely(_ json: JSONValue?) {
        for part in IncomingRequest.Part.allCases {
            for field in request.fields(in: part) where part.isLikelySecret(field.name, .string(field.value)) {
                if part == .headers { addCredentials(field) } else { add(field.name, field.value) }
            }
        }
        // An endpoint that takes no JSON may get JSON nevertheless.
        if request.formFields == nil, let json = json ?? request.json {
            _ = OrderedJSON(json).replacing { name, value in
                guard let name, IncomingRequest.Part.body.isLikelySecret(name, value) else { return nil }
                for text in value.secretParts { add(name, text) }
                return value
            }
        }
    }

    /// The length of the shortest cookie that counts. A shorter value is taken for a setting and not for a secret, because masking
    /// it would also mask unrelated words.
    private static let shortestCookie = 8

    /// Adds the value of a header and the credentials in it.
    private mutating func addCredentials(_ header: IncomingRequest.Field) {
        if header.name.isSameHeader(as: "Cookie") {
            for cookie in header.value.split(separator: ";") {
                let pair = cookie.split(separator: "=", maxSplits: 1)
                if pair.count == 2, pair[1].count >= Self.shortestCookie { add("cookie", pair[1]) }
            }
            return
        }
        add(header.name, header.value)
        let parts = header.value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return }
        add(header.name, parts[1])
        guard parts[0].lowercased() == "basic", let data = Data(base64Encoded: String(parts[1])),
            let account = String(data: data, encoding: .utf8), let colon = account.firstIndex(of: ":")
        else { return }
        add(header.name, account[account.index(after: colon)...])
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
        case .computed(let text, _): text
        }
    }
}
