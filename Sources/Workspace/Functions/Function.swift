import ReqcliText

/// A function of placeholders, as in `{{name | upper}}`, or a source with arguments, as in `{{$random.int 1 6}}`.
package struct Function: Sendable {
    package struct Parameter: Sendable {
        package enum Kind: Sendable {
            case text
            case number
            /// A number, or a duration such as `7d`.
            case amount
            case anything
            case word([String])
            /// A JSONPath.
            case path
            /// A date format of Unicode TR35.
            case format
            /// A path of a file.
            case file
        }

        package let name: String
        let kind: Kind
        package let isOptional: Bool
        package let isRepeated: Bool

        init(_ name: String, _ kind: Kind, isOptional: Bool = false, isRepeated: Bool = false) {
            (self.name, self.kind, self.isOptional, self.isRepeated) = (name, kind, isOptional, isRepeated)
        }

        var takes: ValueTypes {
            switch kind {
            case .text, .path, .format, .file: .scalar
            case .number: [.number, .text]
            case .amount: [.number, .text, .duration]
            case .anything: .json
            case .word: .text
            }
        }
    }

    typealias Body = @Sendable (FunctionValue, [FunctionValue]) throws(FunctionProblem) -> FunctionValue?

    package let name: String
    package let parameters: [Parameter]
    /// The types that the function takes; empty for a source.
    package let takes: ValueTypes
    package let gives: ValueTypes
    package let summary: String
    package let example: String
    private let body: Body
    /// The command of a shell for the function; nil if no shell has one that does exactly the same.
    private(set) var shell: ShellFilter?

    init(
        _ name: String, with parameters: [Parameter] = [], _ takes: ValueTypes, _ gives: ValueTypes, _ summary: String,
        _ example: String, _ body: @escaping Body
    ) {
        (self.name, self.parameters, self.takes, self.gives) = (name, parameters, takes, gives)
        (self.summary, self.example, self.body) = (summary, example, body)
    }

    /// The function with the command that does the same in a POSIX shell. Arguments of the function follow the command.
    func inShell(_ command: String, isForASCII: Bool = false) -> Function {
        var function = self
        function.shell = ShellFilter(command: command, isForASCII: isForASCII)
        return function
    }

    package var isSource: Bool { takes.isEmpty }

    /// The function with its parameters, as a page shows it: `slice FROM [TO]`.
    package var form: String {
        let words = parameters.map { $0.isOptional ? "[\($0.name)]" : $0.isRepeated ? "\($0.name)…" : $0.name }
        return ([name] + words).joined(separator: " ")
    }

    /// Whether the function gives a value for a missing one.
    package var fillsGaps: Bool { name == "default" }

    /// Whether the result can be a list.
    var mayGiveList: Bool {
        !gives.isDisjoint(with: [.list, .argument]) || gives.contains(.same) && takes.contains(.list)
    }

    /// The largest result of a function, in bytes.
    static let largest = 16 << 20

    /// The result; nil if it is missing, as the first element of an empty list is.
    ///
    /// - Parameter value: For a source, what the source is made from: the time, random bytes, or the content of a file.
    package func result(_ value: FunctionValue, _ arguments: [FunctionValue]) throws(FunctionProblem) -> FunctionValue?
    {
        if !isSource, !takes.isSuperset(of: value.types) {
            throw FunctionProblem("takes \(takes.phrase); the value is \(value.types.phrase)")
        }
        for (index, argument) in arguments.enumerated() {
            let parameter = parameters[min(index, parameters.count - 1)]
            if !parameter.takes.isSuperset(of: argument.types) {
                throw FunctionProblem(
                    "takes \(parameter.takes.phrase) as \(parameter.name); the value is \(argument.types.phrase)")
            }
        }
        let result = try body(value, arguments)
        if let result, result.size > Self.largest { throw FunctionProblem("gives more than \(Self.largest >> 20) MiB") }
        return result
    }

    /// The table of all functions, in the order of the documentation.
    package static let all: [(title: String, functions: [Function])] = [
        ("Sources", sources), ("Text", texts), ("Encodings", encodings), ("Hashes", hashes), ("Numbers", numbers),
        ("Time", times), ("JSON", json),
    ]

    private static let named = Dictionary(
        all.flatMap(\.functions).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

    static func named(_ name: String) -> Function? { named[name] }
}
