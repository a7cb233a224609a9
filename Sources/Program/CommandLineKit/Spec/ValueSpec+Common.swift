import ReqcliBasics

extension ValueSpec where Value == String {
    /// Any text, which may be empty.
    package static func text(
        _ placeholder: String, completing completion: CompletionKind = .nothing, mayHoldSecret: Bool = false
    ) -> Self {
        ValueSpec(
            placeholder, expected: "a text", completion: completion, mayHoldSecret: mayHoldSecret, text: { $0 }
        ) { (text) throws(InvalidValue) in
            text
        }
    }

    /// The path of a file. The command checks whether it exists. `-` is an ordinary path here.
    package static func file(_ placeholder: String = "FILE") -> Self {
        path(placeholder, expected: "the path of a file", completing: .file)
    }

    /// The path of a file that is read, and that can't be standard input.
    package static var plainFile: Self {
        file(notStream: "it is not read from standard input; for a file of this name write ./-")
    }

    /// The path of a file that can't be standard input or output.
    ///
    /// - Parameter hint: The hint of the error if the user writes `-`.
    package static func file(notStream hint: String) -> Self {
        path("FILE", expected: "the path of a file", completing: .file, streamHint: hint)
    }

    package static func directory(_ placeholder: String = "DIR") -> Self {
        path(placeholder, expected: "the path of a folder", completing: .directory)
    }

    private static func path(
        _ placeholder: String, expected: String, completing completion: CompletionKind, streamHint: String? = nil
    ) -> Self {
        ValueSpec(placeholder, expected: expected, completion: completion, text: { $0 }) {
            (path) throws(InvalidValue) in
            guard !path.isEmpty else { throw InvalidValue() }
            if path == "-", let streamHint { throw InvalidValue(hint: streamHint) }
            return path
        }
    }
}

extension ValueSpec where Value == Int {
    package static func integer(_ placeholder: String = "N", in range: ClosedRange<Int>) -> Self {
        ValueSpec(
            placeholder, expected: "a whole number from \(range.lowerBound) to \(range.upperBound)",
            text: { String($0) }
        ) { (text) throws(InvalidValue) in
            guard let number = Int(text), range.contains(number) else { throw InvalidValue() }
            return number
        }
    }
}

extension ValueSpec where Value: RawRepresentable & CaseIterable, Value.RawValue == String, Value.AllCases == [Value] {
    /// One of the words of an enumeration, spelled exactly. A near miss gets a suggestion.
    package static func oneOf(
        _ type: Value.Type, _ placeholder: String? = nil, summary: (Value) -> String = { _ in "" }
    ) -> Self {
        let cases = type.allCases
        var words: [ValueWord] = []
        // A loop over `cases` itself would look for a conformance among all in the program.
        for index in 0..<cases.count { words.append(ValueWord(cases[index].rawValue, summary(cases[index]))) }
        let names = words.map(\.text)
        return ValueSpec(
            placeholder ?? names.joined(separator: "|"), expected: Sentence.alternatives(names), words: words,
            completion: .nothing, text: { $0.rawValue }
        ) { (text) throws(InvalidValue) in
            guard let value = Value(rawValue: text) else {
                throw InvalidValue(hint: NearNames.question(for: text, among: names))
            }
            return value
        }
    }
}
