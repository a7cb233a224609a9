import Foundation
import ReqcliBasics
import ReqcliText
@_spi(Generated) import RequestBuilding

/// A placeholder of generated Swift, with the values of the names in it.
struct FilledPlaceholder: Sendable {
    /// The value of a name: JSON, or bytes that are not text.
    struct Value {
        var json: OrderedJSON?
        var bytes: FunctionValue?
    }

    let text: String
    /// The placeholder, if it has functions.
    private let pipeline: Pipeline?
    private let inputs: [OrderedJSON?]
    /// The bytes for a random value, if there is a seed.
    private let seeded: [UInt8]?

    init(_ text: String, _ inputs: [JSONLiteral?], seeded: [UInt8]?) throws {
        self.text = text
        // reqcli has checked the types.
        do { pipeline = try Pipeline.read(text) { _ in [.json, .bytes] } } catch {
            throw PlaceholderFailure(placeholder: text, reason: error.message)
        }
        self.inputs = inputs.map { $0.map { OrderedJSON($0) } }
        self.seeded = seeded
    }

    /// The names of the values that the placeholder uses.
    var names: [String] { pipeline?.names.map(\.text) ?? [text] }

    /// - Parameters:
    ///   - time: The time in seconds since 1970.
    ///   - known: The value of a name that is not among the inputs; nil for one that is.
    func value(at time: Double, known: (String) throws -> Value? = { _ in nil }) throws -> Value {
        guard let pipeline else { return try known(text) ?? Value() }
        var rest = inputs[...]
        var values: Pipeline.Inputs = [:]
        var material: FunctionValue?
        for (index, name) in pipeline.names.enumerated() {
            let value = try known(name.text) ?? Value(json: rest.popFirst() ?? nil)
            values[name.range.lowerBound] = value.json
            if index == 0, case .name = pipeline.source { material = value.bytes }
        }
        if case .call(let call) = pipeline.source {
            guard let arguments = pipeline.arguments(of: call, values) else { return Value() }
            material = try self.material(for: call, arguments, at: time)
        }
        do throws(FunctionProblem) { return Value(json: try pipeline.value(of: values, from: material)) } catch {
            throw PlaceholderFailure(placeholder: pipeline.label, reason: error.message)
        }
    }

    private func material(
        for call: Pipeline.Call, _ arguments: [FunctionValue], at time: Double
    ) throws -> FunctionValue {
        switch call.function.name {
        case "$now": .time(Int((time * 1000).rounded(.down)))
        case "file": .bytes(Array(try Data(contentsOf: URL(fileURLWithPath: arguments[0].text))))
        default: .bytes(Array((seeded ?? (0..<32).map { _ in UInt8.random(in: 0...255) }).hex.utf8))
        }
    }
}

/// The error for a placeholder that has no value. It doesn't contain values, which can be made from secrets.
struct PlaceholderFailure: DescribedError, Hashable, Sendable {
    let placeholder: String
    let reason: String

    /// The placeholder, and the reason.
    var description: String { "\"{{\(placeholder)}}\": \(reason)" }
}
