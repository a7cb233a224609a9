import ReqcliBasics
import ReqcliText

/// Finds the output of commands whose output is known without running them.
enum PipedInput {
    static func of(_ command: ShellCommand) -> ShellCommand.Input? {
        guard let place = command.place else { return nil }
        let arguments = command.words.dropFirst()
        let text: ShellWord? =
            switch command.words.first?.text {
            case "echo": echo(arguments, at: place)
            case "printf": printf(arguments, at: place)
            default: nil
            }
        if let text { return .text(text) }
        guard command.words.first?.text == "cat" else { return .command(place) }
        switch (arguments.count, arguments.first?.text) {
        case (0, _), (1, "-"): return command.input ?? .command(place)
        case (1, let name) where name?.hasPrefix("-") != true: return arguments.first.map { .file($0) }
        default: return .command(place)
        }
    }

    private static func echo(_ words: ArraySlice<ShellWord>, at place: Place) -> ShellWord? {
        var words = words
        var (endsLine, hasEscapes) = (true, false)
        while let flags = words.first?.text, flags.count > 1, flags.first == "-",
            flags.dropFirst().allSatisfy("neE".contains)
        {
            for flag in flags.dropFirst() {
                switch flag {
                case "n": endsLine = false
                case "e": hasEscapes = true
                default: hasEscapes = false
                }
            }
            words.removeFirst()
        }
        var parts: [ShellWord.Part] = []
        for (index, word) in words.enumerated() {
            if index > 0 { parts.append(ShellWord.Part(.text(" "), at: word.place)) }
            parts += word.parts
        }
        if hasEscapes {
            guard let unescaped = unescaping(parts) else { return nil }
            parts = unescaped
        }
        if endsLine { parts.append(ShellWord.Part(.text("\n"), at: place)) }
        return ShellWord(parts, at: place)
    }

    /// The parts with the escapes of `echo -e` replaced. Nil if there is a `\c`, or if the result isn't UTF-8.
    private static func unescaping(_ parts: [ShellWord.Part]) -> [ShellWord.Part]? {
        var result: [ShellWord.Part] = []
        for part in parts {
            guard case .text(let text) = part.content else {
                result.append(part)
                continue
            }
            guard let unescaped = unescaped(text, .echo) else { return nil }
            result.append(ShellWord.Part(.text(unescaped), at: part.place))
        }
        return result
    }

    private static func unescaped(_ text: some StringProtocol, _ style: ANSIEscape.Style) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == .backslash else {
                bytes.append(byte)
                continue
            }
            if rest.first == UInt8(ascii: "c") { return nil }
            let (escaped, length) = ANSIEscape.read(rest, style: style)
            bytes += escaped
            rest = rest.dropFirst(length)
        }
        let result = String(decoding: bytes, as: UTF8.self)
        return result.utf8.elementsEqual(bytes) ? result : nil
    }

    /// The output of a `printf` whose format has only `%s` and `%%`.
    private static func printf(_ words: ArraySlice<ShellWord>, at place: Place) -> ShellWord? {
        guard let format = words.first, let text = format.text, !text.hasPrefix("-") else { return nil }
        // The parts of the format between the directives.
        var pieces = [""]
        var rest = text[...]
        while let sign = rest.firstIndex(of: "%") {
            pieces[pieces.count - 1] += rest[..<sign]
            let behind = rest.index(after: sign)
            guard behind < rest.endIndex else { return nil }
            switch rest[behind] {
            case "%": pieces[pieces.count - 1] += "%"
            case "s": pieces.append("")
            default: return nil
            }
            rest = rest[rest.index(after: behind)...]
        }
        pieces[pieces.count - 1] += rest
        let texts = pieces.compactMap { unescaped($0, .printf) }
        guard texts.count == pieces.count else { return nil }
        var parts: [ShellWord.Part] = []
        var arguments = words.dropFirst()
        // The format is used again until all arguments are written.
        repeat {
            for (index, text) in texts.enumerated() {
                if index > 0 { parts += arguments.popFirst()?.parts ?? [] }
                parts.append(ShellWord.Part(.text(text), at: format.place))
            }
        } while !arguments.isEmpty && texts.count > 1
        return ShellWord(parts, at: place)
    }
}
