import Glibc
import ReqcliBasics

/// Functions that read ranges of a buffer. They take ranges because slices would be retained and released for each access. They
/// check a whole range once instead of each byte. Both together halve the time for reading the head of a request.
extension Span<UInt8> {
    package func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
        guard !range.isEmpty else { return nil }
        check(range)
        return withUnsafeBytes { bytes in
            // `memchr`, because a loop takes ten times as long.
            guard let start = bytes.baseAddress,
                let found = memchr(start + range.lowerBound, Int32(byte), range.count)
            else { return nil }
            return UnsafeRawPointer(found) - start
        }
    }

    /// The index of the first byte that can't be in a token; `end` if there is none.
    func endOfToken(from start: Int, upTo end: Int) -> Int {
        check(start..<end)
        var index = start
        while index < end, self[unchecked: index].isTokenByte { index += 1 }
        return index
    }

    /// Whether the bytes may be in the value of a field. Of the control characters, only the tab is allowed.
    func isFieldValue(_ range: Range<Int>) -> Bool {
        check(range)
        for index in range {
            let byte = self[unchecked: index]
            guard byte >= .space && byte != 0x7F || byte == .tab else { return false }
        }
        return true
    }

    /// Whether the bytes may be in a target: visible ASCII characters, and no `#`, which begins a fragment.
    func isTarget(_ range: Range<Int>) -> Bool {
        check(range)
        for index in range {
            let byte = self[unchecked: index]
            guard byte > .space, byte < 0x7F, byte != UInt8(ascii: "#") else { return false }
        }
        return true
    }

    /// The range without the spaces and tabs around it.
    func trimmingSpacesAndTabs(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, self[start].isSpaceOrTab { start += 1 }
        while start < end, self[end - 1].isSpaceOrTab { end -= 1 }
        return start..<end
    }

    /// Whether the bytes equal an ASCII word, in upper or lower case.
    func isSame(_ range: Range<Int>, as word: StaticString) -> Bool {
        guard range.count == word.utf8CodeUnitCount else { return false }
        check(range)
        return withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return range.isEmpty }
            return strncasecmp(start + range.lowerBound, word.utf8Start, range.count) == 0
        }
    }

    /// Whether the bytes equal a word.
    func isEqual(_ range: Range<Int>, to word: StaticString) -> Bool {
        guard range.count == word.utf8CodeUnitCount else { return false }
        check(range)
        let start = word.utf8Start
        return (0..<range.count).allSatisfy { self[unchecked: range.lowerBound + $0] == start[$0] }
    }

    func isToken(_ range: Range<Int>) -> Bool {
        !range.isEmpty && endOfToken(from: range.lowerBound, upTo: range.upperBound) == range.upperBound
    }

    /// Removes and returns the first member of a list with commas. Empty members are skipped (RFC 9110, section 5.6.1).
    func takeMember(of list: inout Range<Int>) -> Range<Int>? {
        while !list.isEmpty {
            let end = firstIndex(of: .comma, in: list) ?? list.upperBound
            let member = trimmingSpacesAndTabs(list.lowerBound..<end)
            list = Swift.min(end + 1, list.upperBound)..<list.upperBound
            if !member.isEmpty { return member }
        }
        return nil
    }

    /// The bytes as a string: decoded as UTF-8 if they are valid UTF-8, otherwise as Latin-1, so that no byte is lost.
    func text(_ range: Range<Int>) -> String {
        check(range)
        return withUnsafeBufferPointer { all in
            let bytes = UnsafeBufferPointer(rebasing: all[range])
            // Nearly all strings are ASCII. With the next initializer alone, `serve` takes 9 % more instructions for a request.
            if bytes.reduce(0, |) < 0x80 { return String(decoding: bytes, as: UTF8.self) }
            return String(validating: bytes, as: UTF8.self)
                ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        }
    }

    private func check(_ range: Range<Int>) { precondition(range.lowerBound >= 0 && range.upperBound <= count) }
}
