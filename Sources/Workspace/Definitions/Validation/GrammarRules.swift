import ReqcliJSONPath
package import ReqcliText

/// Checks the syntax of JSONPaths and regular expressions.
enum GrammarRules {
    static func check(_ definitionIndex: DefinitionIndex) -> [Diagnostic] {
        definitionIndex.files.flatMap { file -> [Diagnostic] in
            guard let defaults = file.defaults else { return [] }
            return parameters(defaults.parameters) + expectation(defaults.expectation?.set)
        }
            + definitionIndex.endpointsAndScenarios.flatMap { endpoint in
                parameters(endpoint.definition.parameters) + check(endpoint.definition)
            }
    }

    private static func check(_ endpoint: EndpointDefinition) -> [Diagnostic] {
        endpoint.flatMapLayers { expectation($0.expectation?.set) }
            + endpoint.checks.flatMap { expectation($0.expectation) }
            + (endpoint.stubs?.variants.flatMap { $0.value.drift?.paths ?? [] } ?? []).flatMap {
                PathReading.read($0.value, at: $0.place).diagnostics
            }
            + (endpoint.stubs?.variants.compactMap(\.value.condition) ?? []).flatMap {
                paths($0.json) + patterns($0.all)
            }
            + (endpoint.pages?.paths.flatMap { PathReading.read($0.value, at: $0.place).diagnostics } ?? [])
            + endpoint.captures.flatMap { capture -> [Diagnostic] in
                guard case .json(let path) = capture.value.source else {
                    return capture.value.patternProblem.map { [$0] } ?? []
                }
                return PathReading.read(path.value, at: path.place).diagnostics
            }
    }

    private static func parameters(_ parameters: [Named<Parameter>]) -> [Diagnostic] {
        parameters.map(\.value).flatMap { parameter -> [Diagnostic] in
            if let problem = parameter.patternProblem { return [problem] }
            return [parameter, parameter.items].compactMap(\.self).flatMap { parameter in
                parameter.samples.compactMap { parameter.mismatch(of: $1, called: $0) }
            }
        }
    }

    private static func expectation(_ expectation: Expectation?) -> [Diagnostic] {
        guard let expectation else { return [] }
        let json = expectation.json + (expectation.snapshot?.match ?? [])
        let ignored = expectation.snapshot?.ignored ?? []
        let matchers = (expectation.headers + json).map(\.value) + [expectation.body].compactMap(\.self)
        return paths(json) + ignored.flatMap { PathReading.read($0.value, at: $0.place).diagnostics }
            + patterns(matchers) + (expectation.events?.all.flatMap { self.expectation($0) } ?? [])
    }

    private static func paths(_ conditions: [Named<Matchers>]) -> [Diagnostic] {
        conditions.flatMap { PathReading.read($0.name, at: $0.namePlace).diagnostics }
    }

    private static func patterns(_ matchers: [Matchers]) -> [Diagnostic] {
        matchers.flatMap(\.all).compactMap { matcher in
            // A pattern with placeholders can only be checked when their values are known.
            guard matcher.operation == .matches, case .string(let pattern) = matcher.operand.literal else { return nil }
            return IRegexp.problem(in: Located(pattern, at: matcher.operand.place))
        }
    }
}

extension IRegexp {
    /// The first mistake in a pattern, with its place inside the string.
    static func problem(in pattern: Located<String>) -> Diagnostic? {
        do throws(IRegexpProblem) {
            _ = try IRegexp(pattern.value)
            return nil
        } catch {
            return Diagnostic(
                code: .patternInvalid, error.message, at: pattern.place.inside(error.range), hint: error.hint)
        }
    }
}

extension Diagnostic.Code {
    package static let patternInvalid: Self = "pattern.invalid"
}

extension Place {
    /// The place of a part of the JSON string at this place. The range is given in UTF-8 offsets of the decoded text.
    package func inside(_ range: Range<Int>) -> Place {
        let token = SourceFile(name: file.name, bytes: Array(file.bytes[self.range]))
        guard let string = JSONDocument.read(token).root, string.kind == .string else { return self }
        let inner = string.place(ofText: range).range
        return Place(file, self.range.lowerBound + inner.lowerBound..<self.range.lowerBound + inner.upperBound)
    }
}
