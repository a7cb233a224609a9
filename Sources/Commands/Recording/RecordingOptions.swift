import CommandLineKit
import Definitions

/// Options of `send` that record a response.
enum RecordingOptions {
    static let saveStub = Option(
        "save-stub", .variantName, "Save the response as this stub variant, with its body below stubs/")
    static let force = Flag("force", "Let --save-stub replace an existing variant and file")

    /// Flags that ask for two different things at once.
    static func refuseContradictions(_ arguments: ParsedArguments) throws(UsageError) {
        guard arguments.isGiven(saveStub) else {
            guard arguments[force] else { return }
            throw UsageError("--force goes with --save-stub", hint: "add --save-stub NAME", command: "send")
        }
        guard !arguments[StubChoice.option].isEmpty else { return }
        throw UsageError(
            "--save-stub keeps a real answer, and --stub asks for none", hint: "keep one of them", command: "send")
    }
}

extension ValueSpec where Value == String {
    fileprivate static let variantName = ValueSpec(
        "NAME", expected: "a name of letters, digits, _ and -", completion: .variant, text: { $0 }
    ) { (name) throws(InvalidValue) in
        guard Name.isValid(name) else { throw InvalidValue() }
        return name
    }
}
