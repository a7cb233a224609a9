import ReqcliDefinitions
import ReqcliMatching
import ReqcliRedaction
import ReqcliText

/// Fills open operands, which have placeholders, with the values of one call.
struct OperandFilling {
    private var values: ArraySlice<OrderedJSON?>
    private let redactor: Redactor

    /// Takes the values.
    ///
    /// - Parameter values: The values of the open operands in their order; nil for an operand without a value.
    init(_ values: [OrderedJSON?], _ redactor: Redactor) {
        (self.values, self.redactor) = (values[...], redactor)
    }

    /// The conditions with values. Errors show no secrets.
    mutating func fill(_ conditions: Conditions) throws(Failure) -> Conditions {
        if conditions.templates.isEmpty { return conditions }
        var all: [Condition] = []
        for condition in conditions.all { all.append(try fill(condition)) }
        return Conditions(name: conditions.name, place: conditions.place, all: all)
    }

    private mutating func fill(_ condition: Condition) throws(Failure) -> Condition {
        guard let template = condition.template else { return condition }
        guard let value = values.popFirst() ?? nil else {
            let source = template.source.compact
            // Names only the missing part of the template if there is text around a placeholder.
            let lacking = if case .text = template { source } else { "a param in \(source)" }
            throw Failure(
                .broken, code: .valueUnresolved, "the expected value is missing: \(lacking) has no value",
                at: template.place, hint: "give the param a value or a default")
        }
        do throws(Operand.Problem) {
            return try condition.filled(with: value)
        } catch {
            let problem = masked(error, condition, value)
            throw Failure(
                .broken, code: .operandInvalid, problem.message, at: template.place, hint: problem.hint
            )
            .redacted(redactor)
        }
    }

    /// The problem for the value with its secrets masked. Secrets are masked before the message shortens the value, because a
    /// secret that was cut is no longer found.
    private func masked(_ problem: Operand.Problem, _ condition: Condition, _ value: OrderedJSON) -> Operand.Problem {
        if redactor.isEmpty { return problem }
        do throws(Operand.Problem) {
            _ = try condition.filled(with: value.mappingTexts(redactor.redact))
        } catch { return error }
        return problem
    }
}

extension Conditions {
    /// The templates of the open operands, in the order in which ``OperandFilling`` takes their values.
    var templates: [ValueTemplate] { all.compactMap(\.template) }
}
