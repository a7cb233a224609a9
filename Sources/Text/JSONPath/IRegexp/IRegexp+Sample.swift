extension IRegexp {
    /// A short text in which an ECMA-262 pattern matches; nil if this simple method finds no such text.
    ///
    /// - Parameter length: The number of characters that the text should have at least, if the pattern allows it.
    package static func sample(ecma pattern: String, length: Int = 0) -> String? {
        var parser = PatternParser(pattern, .ecma)
        guard length <= longestSample, let expression = try? parser.expression(),
            let regexp = try? IRegexp(ecma: pattern)
        else { return nil }
        var text = ""
        guard expression.write(to: &text, extra: 0), regexp.isFound(in: text) else { return nil }
        if text.unicodeScalars.count >= length { return text }
        var long = ""
        guard expression.write(to: &long, extra: length - text.unicodeScalars.count), regexp.isFound(in: long) else {
            return nil
        }
        return long.unicodeScalars.count >= length ? long : nil
    }

    fileprivate static let longestSample = 1000
}

extension Pattern {
    /// Appends a matching text, with `extra` repetitions more than necessary. Returns false if a set has none of the usual
    /// characters, or the text becomes too long.
    fileprivate func write(to text: inout String, extra: Int) -> Bool {
        guard text.utf8.count <= IRegexp.longestSample * 4 else { return false }
        switch self {
        case .empty, .assertion: return true
        case .scalars(let set):
            guard let scalar = Self.usual.first(where: { set.contains($0) }) else { return false }
            text.unicodeScalars.append(scalar)
            return true
        case .sequence(let parts): return parts.allSatisfy { $0.write(to: &text, extra: extra) }
        case .choice(let branches): return branches.first?.write(to: &text, extra: extra) ?? true
        case .repeated(let part, let least, let most):
            // Repeats at least once if the pattern allows it, because an empty text is not a good example.
            let count = min(max(least, 1) + extra, most ?? .max)
            for _ in 0..<min(count, IRegexp.longestSample) where !part.write(to: &text, extra: 0) { return false }
            return count <= IRegexp.longestSample
        }
    }

    private static let usual: [Unicode.Scalar] =
        Array("a1A0-_.".unicodeScalars) + (0x20..<0x7F).compactMap { Unicode.Scalar($0 as UInt8) }
}
