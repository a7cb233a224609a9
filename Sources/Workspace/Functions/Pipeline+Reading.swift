import ReqcliBasics
import ReqcliText

extension Pipeline {
    /// Reads the text between the braces; nil if it has neither functions nor a source with arguments.
    ///
    /// - Parameter types: Checks the name of a value, and says which types the value can have.
    package static func read(
        _ text: String, types: @escaping (Name) throws(PipelineProblem) -> ValueTypes
    ) throws(PipelineProblem) -> Pipeline? {
        // Fast path: nearly all placeholders are a name.
        let isName = text.utf8.allSatisfy {
            $0.isAlphanumeric || $0 == .point || $0 == .minus || $0 == UInt8(ascii: "_")
        }
        if isName { return nil }
        let bytes = Array(text.utf8)
        let scanner = PlaceholderScanner(bytes + [.closeBrace, .closeBrace], from: 0)
        guard scanner.isComputed else { return nil }
        let reader = PipelineReader(bytes: bytes, types: types)
        let ends = scanner.pipes + [bytes.count]
        let parts = zip([0] + scanner.pipes.map { $0 + 1 }, ends).map { $0..<$1 }
        let (source, given) = try reader.source(parts[0])
        var possible = given
        var calls: [Call] = []
        for part in parts.dropFirst() { calls.append(try reader.call(part, &possible)) }
        if possible.isDisjoint(with: .json) {
            let last = reader.words(in: parts[parts.count - 1]).first ?? 0..<bytes.count
            throw PipelineProblem(
                "\(reader.text(last)) gives \(possible.phrase), which must be turned into text",
                hint: "add one of: \(Function.fitting(possible, giving: .scalar))", at: last)
        }
        return Pipeline(text: reader.text(0..<bytes.count), source: source, calls: calls)
    }
}

extension Function {
    /// The functions for a type of value, for a hint.
    fileprivate static func fitting(_ types: ValueTypes, giving result: ValueTypes = .json) -> String {
        let fitting = all.flatMap(\.functions).filter { function in
            let taken = function.takes.intersection(types)
            let gives = function.gives.contains(.same) ? taken : function.gives
            return !taken.isEmpty && !gives.isDisjoint(with: result) && !function.fillsGaps
        }
        return fitting.map(\.name).joined(separator: " ")
    }
}

/// Reads the parts of a placeholder, and checks that each function takes what the one before it gives.
private struct PipelineReader {
    let bytes: [UInt8]
    let types: (Pipeline.Name) throws(PipelineProblem) -> ValueTypes

    func text(_ range: Range<Int>) -> String {
        let trimmed = bytes[range].drop(while: \.isJSONWhitespace)
        let end = trimmed.lastIndex { !$0.isJSONWhitespace }.map { $0 + 1 } ?? trimmed.startIndex
        return String(decoding: trimmed[..<end], as: UTF8.self)
    }

    func source(_ part: Range<Int>) throws(PipelineProblem) -> (Pipeline.Source, ValueTypes) {
        let words = words(in: part)
        let first = words.first.map { String(decoding: bytes[$0], as: UTF8.self) } ?? ""
        // `file` alone is the name of a param.
        if let function = Function.named(first), function.isSource, words.count > 1 || function.parameters.isEmpty {
            let (call, gives) = try call(function, words, given: [])
            return (.call(call), gives)
        }
        if first.hasPrefix("$random.") { throw unknown(first, at: words[0], isSource: true) }
        let start = words.first?.lowerBound ?? part.lowerBound
        let name = Pipeline.Name(text: text(part), range: start..<(words.last?.upperBound ?? part.upperBound))
        return (.name(name), try types(name))
    }

    func call(_ part: Range<Int>, _ given: inout ValueTypes) throws(PipelineProblem) -> Pipeline.Call {
        let words = words(in: part)
        guard let word = words.first else {
            throw PipelineProblem(
                "the name of a function is missing after this pipe", at: max(0, part.lowerBound - 1)..<part.upperBound)
        }
        let name = String(decoding: bytes[word], as: UTF8.self)
        guard let function = Function.named(name), !function.isSource else {
            throw unknown(name, at: word, isSource: false)
        }
        guard !function.takes.isDisjoint(with: given) else {
            throw PipelineProblem(
                "\(name) takes \(function.takes.phrase), but gets \(given.phrase)",
                hint: "functions for \(given.phrase): \(Function.fitting(given))", at: word)
        }
        let (call, gives) = try call(function, words, given: given)
        given = gives
        return call
    }

    private func unknown(_ name: String, at word: Range<Int>, isSource: Bool) -> PipelineProblem {
        let names = Function.all.flatMap(\.functions).filter { $0.isSource == isSource }.map(\.name)
        return PipelineProblem(
            "there is no function \"\(name.shortened)\"",
            hint: NearNames.question(for: name, among: names) ?? "functions: \(names.joined(separator: " "))", at: word)
    }

    // MARK: Arguments

    private func call(
        _ function: Function, _ words: [Range<Int>], given: ValueTypes
    ) throws(PipelineProblem) -> (Pipeline.Call, ValueTypes) {
        let parameters = function.parameters
        let count = words.count - 1
        let needed = parameters.count { !$0.isOptional }
        guard count >= needed, count <= parameters.count || parameters.last?.isRepeated == true else {
            throw PipelineProblem(
                "\(function.name) takes \(needed == 1 ? "1 argument" : "\(needed) arguments"); found \(count)",
                hint: "write \(function.form), as in \(function.example)",
                at: words[0].lowerBound..<words[words.count - 1].upperBound)
        }
        var arguments: [Pipeline.Argument] = []
        var gives = function.gives.subtracting([.same, .argument])
        if function.gives.contains(.same) { gives.formUnion(given.intersection(function.takes)) }
        for (index, word) in words.dropFirst().enumerated() {
            let (argument, types) = try argument(
                parameters[min(index, parameters.count - 1)], word, of: function, given)
            arguments.append(argument)
            if function.gives.contains(.argument) { gives.formUnion(types) }
        }
        return (Pipeline.Call(function: function, arguments: arguments), gives)
    }

    private func argument(
        _ parameter: Function.Parameter, _ word: Range<Int>, of function: Function, _ given: ValueTypes
    ) throws(PipelineProblem) -> (Pipeline.Argument, ValueTypes) {
        let source = String(decoding: bytes[word], as: UTF8.self)
        func refuse(_ what: String, hint: String? = nil) -> PipelineProblem {
            PipelineProblem("\(function.name) \(what)", hint: hint ?? "as in \(function.example)", at: word)
        }
        if case .word(let words) = parameter.kind {
            guard words.contains(source) else {
                throw refuse(
                    "takes \(words.joined(separator: ", ")) as \(parameter.name); found \(source.shortened)",
                    hint: NearNames.question(for: source, among: words))
            }
            return (.literal(.text(source)), .text)
        }
        guard let literal = try literal(word) else {
            let name = Pipeline.Name(text: source, range: word)
            return (.name(name), try types(name))
        }
        guard parameter.takes.isSuperset(of: literal.types) else {
            throw refuse("takes \(parameter.takes.phrase) as \(parameter.name); found \(source.shortened)")
        }
        if case .amount = parameter.kind {
            let fitting: ValueTypes = literal.types == .duration ? .time : [.number, .text]
            if given.isDisjoint(with: fitting) {
                throw refuse(
                    "takes \(given == .time ? "a duration such as 7d" : "a number") here; found \(source.shortened)")
            }
        }
        do throws(FunctionProblem) {
            switch parameter.kind {
            case .path: _ = try Function.path(literal.text)
            case .format: _ = try DateFormat(literal.text)
            case .number where literal.types == .text, .amount where literal.types == .text:
                _ = try literal.decimal()
            default: break
            }
        } catch {
            throw PipelineProblem(error.message, hint: "as in \(function.example)", at: word)
        }
        return (.literal(literal), literal.types)
    }

    /// The value of a number, a duration or a text; nil for a name.
    private func literal(_ word: Range<Int>) throws(PipelineProblem) -> FunctionValue? {
        let source = String(decoding: bytes[word], as: UTF8.self)
        if bytes[word.lowerBound] == .apostrophe { return .text(try text(ofLiteral: word)) }
        guard bytes[word].drop(while: { $0 == .minus }).first?.isDigit == true else { return nil }
        if JSONNumber(source) != nil { return .number(source) }
        guard let duration = Self.duration(source) else {
            throw PipelineProblem(
                "\(source.shortened) is neither a number nor a duration",
                hint: "durations have the units ms, s, m, h and d, as in 1h30m; text is written between quotes",
                at: word)
        }
        return .duration(duration)
    }

    private func text(ofLiteral word: Range<Int>) throws(PipelineProblem) -> String {
        var text: [UInt8] = []
        var index = word.lowerBound + 1
        while index < word.upperBound {
            switch bytes[index] {
            case .apostrophe:
                guard index + 1 == word.upperBound else {
                    throw PipelineProblem("there must be a space after this text", at: word)
                }
                return String(decoding: text, as: UTF8.self)
            case .backslash:
                index += 1
                guard index < word.upperBound, bytes[index] == .apostrophe || bytes[index] == .backslash else {
                    throw PipelineProblem(
                        #"in a text, a backslash must be followed by ' or \"#, hint: #"write \\ for a backslash"#,
                        at: word)
                }
                text.append(bytes[index])
            default: text.append(bytes[index])
            }
            index += 1
        }
        throw PipelineProblem("this text is never closed", hint: "add a quote: 'text'", at: word)
    }

    /// A duration such as `7d` or `1h30m`, in milliseconds.
    private static func duration(_ text: String) -> Int? {
        let units: [(String, Int)] = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)]
        var rest = text.utf8[...]
        var total = 0
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isDigit }
            rest = rest.dropFirst(digits.count)
            let unit = rest.prefix { !$0.isDigit }
            rest = rest.dropFirst(unit.count)
            guard digits.count < 10, let number = Int(String(decoding: digits, as: UTF8.self)),
                let scale = units.first(where: { $0.0.utf8.elementsEqual(unit) })?.1
            else { return nil }
            total += number * scale
            // No more than the years that four digits can express.
            if total > 10_000 * 366 * 86_400_000 { return nil }
        }
        return total
    }

    /// The words of a part. A text between quotes is one word, with everything up to the next whitespace.
    func words(in part: Range<Int>) -> [Range<Int>] {
        var words: [Range<Int>] = []
        var index = part.lowerBound
        while index < part.upperBound {
            guard !bytes[index].isJSONWhitespace else {
                index += 1
                continue
            }
            let start = index
            if bytes[index] == .apostrophe {
                index += 1
                while index < part.upperBound, bytes[index] != .apostrophe {
                    index += bytes[index] == .backslash ? 2 : 1
                }
            }
            index = min(index, part.upperBound)
            while index < part.upperBound, !bytes[index].isJSONWhitespace { index += 1 }
            words.append(start..<index)
        }
        return words
    }
}

extension String {
    /// A text for a message, which is cut if it is long.
    fileprivate var shortened: String { count > 40 ? prefix(39) + "…" : self }
}
