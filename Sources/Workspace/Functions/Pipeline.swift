package import ReqcliText

/// A placeholder with functions: a source, and functions that change its value one after the other.
package struct Pipeline: Sendable {
    package enum Source: Sendable {
        /// The name of a value, such as a param.
        case name(Name)
        case call(Call)
    }

    package struct Name: Sendable {
        package let text: String
        /// The place in the placeholder, in bytes.
        package let range: Range<Int>
    }

    package enum Argument: Sendable {
        case literal(FunctionValue)
        case name(Name)
    }

    package struct Call: Sendable {
        package let function: Function
        package let arguments: [Argument]
    }

    /// The placeholder as written, without whitespace at its ends.
    package let text: String
    package let source: Source
    package let calls: [Call]

    /// The names of values in the placeholder, in the order in which they are written.
    package var names: [Name] {
        let first = if case .call(let call) = source { [call] } else { [Call]() }
        let own = if case .name(let name) = source { [name] } else { [Name]() }
        return own
            + (first + calls).flatMap(\.arguments).compactMap { if case .name(let name) = $0 { name } else { nil } }
    }

    /// The placeholder without its arguments, as the name of its value.
    package var label: String {
        let start =
            switch source {
            case .name(let name): name.text
            case .call(let call): call.function.name
            }
        return ([start] + calls.map(\.function.name)).joined(separator: " | ")
    }

    /// Whether the value is a number whatever the values in the placeholder are.
    package var givesNumber: Bool {
        if let last = calls.last { return last.function.gives == .number }
        return if case .call(let call) = source { call.function.gives == .number } else { false }
    }

    /// Whether the value can be a list.
    package var mayGiveList: Bool {
        if let last = calls.last { return last.function.mayGiveList }
        return if case .call(let call) = source { call.function.mayGiveList } else { true }
    }

    /// Whether the value is made from a file.
    package var readsFile: Bool { if case .call(let call) = source { call.function.name == "file" } else { false } }

    /// Whether the value is random.
    package var isRandom: Bool {
        if case .call(let call) = source { call.function.name.hasPrefix("$random.") } else { false }
    }

    /// Whether a missing value becomes another one.
    package var fillsGaps: Bool { calls.contains { $0.function.fillsGaps } }
}

// MARK: - Values

extension Pipeline {
    /// The values of the names in a placeholder that aren't missing, by their offsets.
    package typealias Inputs = [Int: OrderedJSON]

    /// The arguments of a call; nil if one is missing.
    package func arguments(of call: Call, _ inputs: Inputs) -> [FunctionValue]? {
        var values: [FunctionValue] = []
        for argument in call.arguments {
            switch argument {
            case .literal(let value): values.append(value)
            case .name(let name):
                guard let value = inputs[name.range.lowerBound] else { return nil }
                values.append(.json(value))
            }
        }
        return values
    }

    /// The value that the functions make; nil if it is missing.
    ///
    /// - Parameter material: What a source with arguments is made from, or the value of a source that is a name if it isn't JSON.
    package func value(of inputs: Inputs, from material: FunctionValue? = nil) throws(FunctionProblem) -> OrderedJSON? {
        var value: FunctionValue?
        switch source {
        case .name(let name): value = material ?? inputs[name.range.lowerBound].map { .json($0) }
        case .call(let call): value = try result(of: call, material, inputs)
        }
        for call in calls {
            if call.function.fillsGaps {
                value = value ?? arguments(of: call, inputs)?.first
            } else {
                value = try result(of: call, value, inputs)
            }
        }
        guard let value else { return nil }
        guard case .json(let json) = value else {
            throw FunctionProblem("gives \(value.types.phrase), which must be turned into text")
        }
        return json
    }

    private func result(
        of call: Call, _ value: FunctionValue?, _ inputs: Inputs
    ) throws(FunctionProblem) -> FunctionValue? {
        guard let value, let arguments = arguments(of: call, inputs) else { return nil }
        do throws(FunctionProblem) { return try call.function.result(value, arguments) } catch {
            throw FunctionProblem("\(call.function.name) \(error.message)")
        }
    }
}

/// A mistake in a placeholder with functions, with its place in bytes.
package struct PipelineProblem: Error, Equatable {
    package let message: String
    package let hint: String?
    package let range: Range<Int>

    package init(_ message: String, hint: String? = nil, at range: Range<Int>) {
        (self.message, self.hint, self.range) = (message, hint, range)
    }
}
