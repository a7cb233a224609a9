import Assembly
import Definitions
import IRegexp
import JSONPath
import SourceText

extension Grammars {
    /// Those of the engines that expectations, params and requests are held against.
    static let known = Grammars(
        jsonPath: { text in
            do throws(JSONPathError) {
                return try JSONPath(text).warnings.map { Problem(.warning, $0) }
            } catch {
                return error.problems.map { Problem(.error, $0) }
            }
        },
        regularExpression: { text in
            do throws(IRegexpProblem) {
                _ = try IRegexp(text)
                return []
            } catch {
                return [Problem(code: .patternInvalid, error.message, at: error.range, hint: error.hint)]
            }
        },
        matches: { pattern, text in (try? IRegexp(pattern))?.matches(text) ?? true },
        request: Assembler.certainProblems)
}

extension Grammars.Problem {
    fileprivate init(_ severity: Diagnostic.Severity, _ problem: JSONPathProblem) {
        self.init(severity, code: problem.code, problem.message, at: problem.range, hint: problem.hint)
    }
}
