import ReqcliJSONPath
package import ReqcliText

/// Checks the syntax of JSONPaths and regular expressions, and the values in the definitions of params against their patterns.
enum GrammarRules {
    static func rule(_ definitionIndex: DefinitionIndex) -> MentionRule {
        var problems: [Diagnostic] = []
        return MentionRule { mention, _ in
            switch mention {
            case .path(let path): problems += PathReading.read(path.value, at: path.place).diagnostics
            case .pattern(let pattern): problems += [IRegexp.problem(in: pattern)].compactMap(\.self)
            default: break
            }
        } problems: {
            problems + definitionIndex.parameters.flatMap(samples)
        }
    }

    private static func samples(of parameter: Parameter) -> [Diagnostic] {
        [parameter, parameter.items].compactMap(\.self).flatMap { parameter in
            parameter.samples.compactMap { parameter.mismatch(of: $1, called: $0) }
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
    /// The place of a part of the JSON string at this place. `range` is the part, as UTF-8 offsets in the decoded text.
    package func inside(_ range: Range<Int>) -> Place {
        let token = SourceFile(name: file.name, bytes: Array(file.bytes[self.range]))
        guard let string = JSONDocument.read(token).root, string.kind == .string else { return self }
        let inner = string.place(ofText: range).range
        return Place(file, self.range.lowerBound + inner.lowerBound..<self.range.lowerBound + inner.upperBound)
    }
}
