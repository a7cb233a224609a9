package import ReqcliText

/// One word of a command, as the shell would pass it to a program, except that variables aren't expanded.
///
/// The word is a collection of bytes, in which a variable is a single nil, so that code can search and split the word by its
/// bytes.
package struct ShellWord: Sendable, Equatable {
    package struct Part: Sendable, Equatable {
        package enum Content: Sendable, Equatable {
            case text(String)
            /// A variable of the shell. The fallback is `x` in `${NAME:-x}`.
            case variable(name: String, fallback: String?)
        }

        package let content: Content
        package let place: Place

        package init(_ content: Content, at place: Place) {
            self.content = content
            self.place = place
        }
    }

    /// The parts of the word. No part is empty text.
    package private(set) var parts: [Part]
    /// The whole word in the source, with its quotes.
    package let place: Place

    package init(_ parts: [Part], at place: Place) {
        self.parts = parts.filter { $0.content != .text("") }
        self.place = place
    }

    /// A word without quotes and variables.
    package init(_ text: String, at place: Place) { self.init([Part(.text(text), at: place)], at: place) }

    /// The text of the word; nil if it has a variable.
    package var text: String? {
        var text = ""
        for part in parts {
            guard case .text(let piece) = part.content else { return nil }
            text += piece
        }
        return text
    }

    /// The word as a shell would show it, for messages: variables are written `$NAME`.
    package var description: String {
        parts.map { part in
            switch part.content {
            case .text(let text): text
            case .variable(let name, _): "$\(name)"
            }
        }.joined()
    }

    /// The two words joined to one word.
    package static func + (one: ShellWord, other: ShellWord) -> ShellWord {
        let start = Swift.min(one.place.range.lowerBound, other.place.range.lowerBound)
        let end = Swift.max(one.place.range.upperBound, other.place.range.upperBound)
        return ShellWord(one.parts + other.parts, at: Place(one.place.file, start..<end))
    }
}

extension ShellWord: BidirectionalCollection {
    /// The position of a byte, or of a whole variable.
    package struct Index: Comparable, Sendable {
        fileprivate var part: Int
        fileprivate var offset: Int

        package static func < (one: Index, other: Index) -> Bool {
            (one.part, one.offset) < (other.part, other.offset)
        }
    }

    package var startIndex: Index { Index(part: 0, offset: 0) }
    package var endIndex: Index { Index(part: parts.count, offset: 0) }

    package subscript(position: Index) -> UInt8? {
        guard case .text(let text) = parts[position.part].content else { return nil }
        return text.utf8[text.utf8.index(text.utf8.startIndex, offsetBy: position.offset)]
    }

    package func index(after index: Index) -> Index {
        index.offset + 1 < parts[index.part].length
            ? Index(part: index.part, offset: index.offset + 1) : Index(part: index.part + 1, offset: 0)
    }

    package func index(before index: Index) -> Index {
        index.offset > 0
            ? Index(part: index.part, offset: index.offset - 1)
            : Index(part: index.part - 1, offset: parts[index.part - 1].length - 1)
    }
}

extension ShellWord {
    /// A part of a word as a separate word, with the place of its text.
    package init(_ slice: Slice<ShellWord>) {
        let word = slice.base
        let (start, end) = (slice.startIndex, slice.endIndex)
        guard start < end else {
            self.init([], at: word.place(of: start..<end))
            return
        }
        let last = end.offset > 0 ? end.part : end.part - 1
        let parts = (start.part...last).map { index in
            let part = word.parts[index]
            let lower = index == start.part ? start.offset : 0
            let upper = index == end.part ? end.offset : part.length
            return lower == 0 && upper == part.length ? part : part.slice(lower..<upper)
        }
        self.init(parts, at: word.place(of: start..<end))
    }

    /// The place of a range. If a part in the range is written with escapes, the place covers the whole part.
    package func place(of range: Range<Index>) -> Place {
        let start = startOffset(range.lowerBound)
        guard range.lowerBound < range.upperBound else { return Place(place.file, start..<start) }
        let end = parts[index(before: range.upperBound).part]
        let upper = range.upperBound.offset > 0 ? range.upperBound.offset : end.length
        return Place(place.file, start..<Swift.max(start, end.slice(0..<upper).place.range.upperBound))
    }

    private func startOffset(_ index: Index) -> Int {
        guard index.part < parts.count else { return parts.last?.place.range.upperBound ?? place.range.upperBound }
        let part = parts[index.part]
        return part.slice(Swift.min(index.offset, part.length)..<part.length).place.range.lowerBound
    }

    /// The parts before and after the first byte with this value; nil if there is no such byte.
    package func split(at byte: UInt8) -> (before: ShellWord, after: ShellWord)? {
        guard let separator = firstIndex(of: byte) else { return nil }
        return (ShellWord(self[..<separator]), ShellWord(self[index(after: separator)...]))
    }

    /// The word without its first byte; nil if the word doesn't begin with this byte.
    package func removingFirst(_ byte: UInt8) -> ShellWord? {
        first == byte ? ShellWord(dropFirst()) : nil
    }
}

extension ShellWord.Part {
    /// The number of elements. A variable is one element.
    fileprivate var length: Int {
        switch content {
        case .text(let text): text.utf8.count
        case .variable: 1
        }
    }

    fileprivate func slice(_ range: Range<Int>) -> ShellWord.Part {
        guard case .text(let text) = content else { return self }
        let bytes = text.utf8
        let start = bytes.index(bytes.startIndex, offsetBy: range.lowerBound)
        let end = bytes.index(bytes.startIndex, offsetBy: range.upperBound)
        // If a text has the same length as its source, it has no escapes, since an escape is longer than its result.
        let isVerbatim = place.range.count == bytes.count
        let begin = place.range.lowerBound
        return ShellWord.Part(
            .text(String(decoding: bytes[start..<end], as: UTF8.self)),
            at: isVerbatim ? Place(place.file, begin + range.lowerBound..<begin + range.upperBound) : place)
    }
}
