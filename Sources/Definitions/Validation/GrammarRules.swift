package import SourceText

/// JSONPaths and regular expressions are such.
struct GrammarRules {
    let grammars: Grammars

    func check(_ census: Census) -> [Diagnostic] {
        census.files.flatMap { file -> [Diagnostic] in
            guard let defaults = file.defaults else { return [] }
            return parameters(defaults.parameters) + expectation(defaults.expectation?.value.value)
        }
            + census.endpoints.flatMap { endpoint in
                check(endpoint.definition) + given(endpoint, census)
            }
    }

    private func check(_ endpoint: EndpointDefinition) -> [Diagnostic] {
        parameters(endpoint.parameters) + expectation(endpoint.request.expectation?.value.value)
            + endpoint.environments.flatMap { expectation($0.value.expectation?.value.value) }
            + endpoint.checks.flatMap { expectation($0.expectation) }
            + endpoint.captures.flatMap { capture -> [Diagnostic] in
                guard case .json(let path) = capture.value.source else { return [] }
                return diagnostics(grammars.jsonPath(path.value), at: path.place)
            }
    }

    private func parameters(_ parameters: [Named<Parameter>]) -> [Diagnostic] {
        parameters.map(\.value).flatMap { parameter -> [Diagnostic] in
            guard let pattern = parameter.pattern else { return [] }
            let problems = diagnostics(grammars.regularExpression(pattern.value), at: pattern.place)
            guard problems.isEmpty else { return problems }
            return parameter.samples.compactMap { key, sample in
                mismatch(of: sample.value, with: parameter, "\"\(key)\"", at: sample.place)
            }
        }
    }

    /// Values that files give for params: in checks, and to endpoints in `needs`.
    private func given(_ endpoint: LocatedEndpoint, _ census: Census) -> [Diagnostic] {
        let checks = endpoint.definition.checks.map { ($0.parameters, endpoint) }
        let needs = endpoint.needs.compactMap { need -> ([Named<ValueTemplate>], LocatedEndpoint)? in
            guard let id = need.value.endpoint, case .found(let target) = census.endpoint(id.value) else { return nil }
            return (need.value.parameters, target)
        }
        return (checks + needs).flatMap { values, target in
            values.compactMap { value -> Diagnostic? in
                guard let parameter = target.parameters[named: value.name], let literal = value.value.literal else {
                    return nil
                }
                return mismatch(of: literal, with: parameter, "the param \"\(value.name)\"", at: value.value.place)
            }
        }
    }

    private func mismatch(
        of value: OrderedJSON, with parameter: Parameter, _ name: String, at place: Place
    ) -> Diagnostic? {
        guard let pattern = parameter.pattern, grammars.regularExpression(pattern.value).isEmpty else { return nil }
        return parameter.problem(with: value, called: name, at: place, matching: grammars.matches)
    }

    private func expectation(_ expectation: Expectation?) -> [Diagnostic] {
        guard let expectation else { return [] }
        return expectation.headers.flatMap { patterns($0.value) } + (expectation.body.map(patterns) ?? [])
            + expectation.json.flatMap {
                diagnostics(grammars.jsonPath($0.name), at: $0.namePlace) + patterns($0.value)
            }
    }

    private func patterns(_ matchers: Matchers) -> [Diagnostic] {
        matchers.all.flatMap { matcher -> [Diagnostic] in
            // A pattern with placeholders is known when they are.
            guard matcher.operation == .matches, case .string(let pattern) = matcher.operand.literal else { return [] }
            return diagnostics(grammars.regularExpression(pattern), at: matcher.operand.place)
        }
    }

    private func diagnostics(_ problems: [Grammars.Problem], at place: Place) -> [Diagnostic] {
        problems.map {
            Diagnostic(code: $0.code, $0.message, at: place.inside($0.range), hint: $0.hint)
        }
    }
}

extension Place {
    /// A stretch of the text of the JSON string at this place, in UTF-8 offsets of the decoded text.
    package func inside(_ range: Range<Int>) -> Place {
        let token = SourceFile(name: file.name, bytes: Array(file.bytes[self.range]))
        guard let string = JSONDocument.read(token).root, string.kind == .string else { return self }
        let inner = string.place(ofText: range).range
        return Place(file, self.range.lowerBound + inner.lowerBound..<self.range.lowerBound + inner.upperBound)
    }
}
