import Assembly
import Checking
import Definitions
import IRegexp
import JSONPath
import SourceText

extension Grammars {
    /// Those of the engines that expectations, params and requests are held against.
    static let known = Grammars(
        jsonPath: { text in
            do throws(JSONPathError) {
                _ = try PathReading.parse(text)
                return []
            } catch {
                return error.problems.map { Problem(code: $0.code, $0.message, at: $0.range, hint: $0.hint) }
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
