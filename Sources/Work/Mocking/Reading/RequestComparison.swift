import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// Compares a request with the pattern of its endpoint, part by part.
struct RequestComparison {
    let pattern: RequestPattern
    let schemas: SchemaStore
    private var parameters = ParameterValues()
    private var invalidParameters: Set<String> = []
    private var problems: [RequestReading.Problem] = []
    /// The number of problems that were found after `mostProblems` was reached.
    private var unnamedProblems = 0
    var literalsMet = 0
    var literalsMissed = 0
    var json: JSONValue?
    /// The strings in the request for each param, before they are converted.
    private var texts: [(name: String, values: [String])] = []

    init(pattern: RequestPattern, schemas: SchemaStore) {
        self.pattern = pattern
        self.schemas = schemas
    }

    var endpoint: LocatedEndpoint { pattern.endpoint }
    private var place: Place { endpoint.definition.place }

    /// The maximum number of problems that are kept for one request. A body can have a million fields that the endpoint doesn't
    /// know.
    static let mostProblems = 100

    mutating func report(_ message: Wording, at place: Place? = nil) {
        if problems.count == Self.mostProblems {
            unnamedProblems += 1
        } else {
            problems.append(RequestReading.Problem(message: message, place: place ?? self.place))
        }
    }

    // MARK: Texts

    /// Reads the values in the gaps; false if the text differs outside the gaps.
    @discardableResult
    mutating func read(_ text: String, _ pattern: TextPattern, allowsEmpty: Bool = true) -> Bool {
        if let gap = pattern.onlyGap { return (allowsEmpty || !text.isEmpty) && take(text, for: gap) }
        guard let values = pattern.values(in: text, allowsEmpty: allowsEmpty) else { return false }
        for (gap, value) in zip(pattern.gaps, values) where !take(value, for: gap) { return false }
        return true
    }

    private mutating func take(_ text: String, for gap: OpenValue) -> Bool {
        guard case .parameter(let name) = gap else { return true }
        guard let choice = pattern.choices[name] else {
            add([text], for: name)
            return true
        }
        return take(choice) {
            $0.plainText == text ? [] : TextPattern($0.plainText).values(in: text, allowsEmpty: true)
        }
    }

    private func texts(of name: String) -> [String]? { texts.first { $0.name == name }?.values }

    private mutating func add(_ values: [String], for name: String) {
        if let index = texts.firstIndex(where: { $0.name == name }) {
            texts[index].values += values
        } else {
            texts.append((name, values))
        }
    }

    /// Finds the case of a `$switch` whose value the request has. Stores the name of the case as the value of the param that
    /// selects the case. Returns false if no case fits.
    mutating func take(_ choice: RequestPattern.Choice, _ values: (OrderedJSON) -> [String]?) -> Bool {
        for one in choice.cases {
            guard let found = values(one.value) else { continue }
            if let parameter = choice.parameter, texts(of: parameter) == nil { add([one.name], for: parameter) }
            for (gap, value) in zip(TextPattern(one.value.plainText).gaps, found) { _ = take(value, for: gap) }
            return true
        }
        guard let otherwise = choice.otherwise, let found = values(otherwise) else { return false }
        for (gap, value) in zip(TextPattern(otherwise.plainText).gaps, found) { _ = take(value, for: gap) }
        return true
    }

    // MARK: Items

    mutating func readItems(_ items: [RequestPattern.Item], _ fields: [IncomingRequest.Field], kind: String) {
        if items.isEmpty, fields.isEmpty { return }
        var values: [String: [String]] = [:]
        for field in fields { values[field.name, default: []].append(field.value) }
        for item in items where item.openName == nil {
            read(item, values.removeValue(forKey: item.name) ?? [], kind: "\(kind) \(item.name)")
        }
        for item in items {
            guard let name = item.openName else { continue }
            let found = fields.first { values[$0.name] != nil && name.values(in: $0.name, allowsEmpty: true) != nil }
            if let found {
                if !read(found.name, name) { report("\(own: endpoint.id) has no \(own: kind) \(found.name.quoted)") }
                read(item, values.removeValue(forKey: found.name) ?? [], kind: "\(kind) \(pattern.shown(name))")
            } else if !name.gaps.allSatisfy({ mayLack(TextPattern($0)) }) {
                report("the \(own: kind) \(own: pattern.shown(name)) is missing")
            }
        }
        var reported: Set<String> = []
        for field in fields where values[field.name] != nil && reported.insert(field.name).inserted {
            report("\(own: endpoint.id) has no \(own: kind) \(field.name.quoted)")
        }
    }

    /// Compares the values of one item with its patterns.
    ///
    /// - Parameter kind: The kind of the item, with its name, for messages.
    private mutating func read(_ item: RequestPattern.Item, _ found: [String], kind: String) {
        let shares = shares(of: found, for: item.values)
        for (text, wanted) in shares.pairs {
            let isLiteral = wanted.literal != nil || wanted.isChoice(in: pattern)
            let fits = read(text, wanted)
            if isLiteral { if fits { literalsMet += 1 } else { literalsMissed += 1 } }
            if !fits {
                let expected = wanted.literal.map { "; expected \($0.quoted)" } ?? ""
                report("the \(own: kind) is \(shown(text.quoted, of: item.name))\(own: expected)")
            }
        }
        for wanted in shares.missing where wanted.literal != nil || wanted.isChoice(in: pattern) {
            literalsMissed += 1
            report("the \(own: kind) is missing")
        }
        if shares.surplus > 0 { report("the \(own: kind) is given more than once") }
    }

    /// The values of one name, each with the pattern that it has to fit.
    private struct Shares {
        var pairs: [(text: String, wanted: TextPattern)] = []
        var missing: [TextPattern] = []
        var surplus = 0
    }

    /// Assigns the values to the patterns. If there are too few values, optional params get none. If there are too many, a list
    /// takes the rest.
    private func shares(of found: [String], for wanted: [TextPattern]) -> Shares {
        var shares = Shares()
        var extra = found.count - wanted.count { !mayLack($0) }
        var index = 0
        for text in wanted {
            let count = !mayLack(text) ? 1 : extra <= 0 ? 0 : isList(text) ? extra : 1
            if mayLack(text) { extra -= count }
            for _ in 0..<count {
                if index < found.count {
                    shares.pairs.append((found[index], text))
                } else {
                    shares.missing.append(text)
                }
                index += 1
            }
        }
        shares.surplus = found.count - index
        return shares
    }

    private func isList(_ text: TextPattern) -> Bool {
        guard case .parameter(let name)? = text.onlyGap else { return false }
        return endpoint.parameters[named: name]?.kind == .list
    }

    private func mayLack(_ text: TextPattern) -> Bool {
        endpoint.mayLack(text.onlyGap, pattern.choices) || isList(text)
    }

    mutating func readHeaders(_ request: IncomingRequest) {
        for item in pattern.headers {
            let found = request.headers(named: item.name)
            let isAuthorization = item.name.isSameHeader(as: "Authorization")
            if found.isEmpty {
                if item.values.allSatisfy(mayLack) { continue }
                if isAuthorization {
                    report("there is no Authorization header")
                } else if !item.values.contains(where: \.hasParameter) {
                    report("the header \(own: item.name) is missing")
                }
            } else if !isAuthorization {
                for (text, wanted) in shares(of: found, for: item.values).pairs where !read(text, wanted) {
                    report("the header \(own: item.name) differs from the one that \(own: endpoint.id) sets")
                }
            }
        }
    }

    /// Reports a body of another media type than the endpoint sends.
    ///
    /// - Parameter usual: The type of such bodies, if the endpoint has no `Content-Type` of its own.
    /// - Returns: Whether the type is right.
    mutating func checkType(_ type: MediaType?, usual: String) -> Bool {
        let own = pattern.contentTypes
        if own.allSatisfy(mayLack), type == nil { return true }
        // A type with a param in it, or several types, can't be compared.
        if !own.isEmpty, own.count > 1 || own[0].literal == nil { return true }
        let expected = MediaType(own.first?.literal ?? usual)
        if type == expected || type?.isJSON == true && expected.isJSON { return true }
        report("the body is \(type?.name ?? "of no type"); expected \(own: expected.name)")
        return false
    }

    // MARK: Params

    mutating func take(
        _ name: String, at place: @autoclosure () -> Place, _ value: () throws(Failure) -> OrderedJSON
    ) {
        do throws(Failure) {
            parameters.set(name, try value())
        } catch {
            invalidParameters.insert(name)
            // Don't use the error's message, because it would contain the value.
            if LikelySecret.isName(name) || endpoint.parameters[named: name]?.isSecret == true {
                return report("\(own: name) has a value that is not allowed", at: place())
            }
            for diagnostic in error.diagnostics { report(diagnostic.wording, at: place()) }
        }
    }

    /// Converts the values to the types of their params, and reports params that are missing.
    ///
    /// - Parameter isCut: Whether the body was not read. In that case, params that may be in the body do not count as missing.
    mutating func finish(isCut: Bool) -> RequestReading {
        let declared = endpoint.parameters
        let unread = isCut ? pattern.bodyParameters : []
        // The loop uses indexes, because a loop over the elements would copy each element.
        for index in declared.indices {
            let name = declared[index].name
            if let found = texts(of: name) {
                take(name, at: declared[index].namePlace) { [schemas] () throws(Failure) in
                    try declared[index].value.value(sentAs: found, named: name, schemas)
                }
            } else if parameters[name] == nil, !invalidParameters.contains(name), pattern.parameters.contains(name),
                !unread.contains(name)
            {
                if let value = declared[index].value.defaultValue?.value {
                    // A client that knows the default may leave out the param.
                    if !declared[index].value.isRequired { parameters.set(name, value) }
                } else if declared[index].value.isRequired {
                    invalidParameters.insert(name)
                    report("\(own: name) is missing", at: declared[index].namePlace)
                }
            }
        }
        if unnamedProblems > 0 {
            problems.append(RequestReading.Problem(message: "\(unnamedProblems) more differences", place: place))
        }
        return RequestReading(
            parameters, invalidParameters, problems, met: literalsMet, missed: literalsMissed, json)
    }
}

extension TextPattern {
    /// Whether the whole text is a single `$switch`.
    fileprivate func isChoice(in pattern: RequestPattern) -> Bool {
        guard case .parameter(let name)? = onlyGap else { return false }
        return pattern.choices[name] != nil
    }
}
