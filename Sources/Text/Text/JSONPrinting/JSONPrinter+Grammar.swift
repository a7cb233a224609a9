import ReqcliBasics

extension JSONPrinter {
    /// The position in the grammar, which decides the meaning of the next byte.
    enum State: UInt8 {
        // States between two tokens. Each is named after the item that may follow.
        case topLevel
        case firstElement
        case element
        case firstKey
        case key
        case colon
        case memberValue
        case comma
        // States inside a token.
        case string
        case escape
        case hexDigits
        case word
        case wordEnd
        case minus
        case zero
        case digits
        case point
        case fraction
        case exponent
        case exponentSign
        case exponentDigits
        case byteOrderMark
    }

    enum Step {
        /// The bytes up to this offset were consumed.
        case next(Int)
        /// From this byte on, the text is not JSON.
        case stops(Int, isInToken: Bool)
    }

    /// Consumes at least one byte.
    @inline(__always)
    mutating func step(_ bytes: UnsafeRawBufferPointer, _ position: Int) -> Step {
        switch state {
        case .topLevel, .firstElement, .element, .firstKey, .key, .colon, .memberValue, .comma:
            return structure(bytes, position)
        case .string: return string(bytes, position)
        case .escape, .hexDigits: return escape(bytes, position)
        case .word, .wordEnd, .byteOrderMark: return word(bytes, position)
        case .minus, .zero, .digits, .point, .fraction, .exponent, .exponentSign, .exponentDigits:
            return number(bytes, position)
        }
    }

    @inline(__always)
    private mutating func structure(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Step {
        var position = start
        while position < bytes.count, bytes[position].isJSONWhitespace { position += 1 }
        guard position < bytes.count else { return .next(position) }
        let byte = bytes[position]
        let isTaken =
            switch state {
            case .colon: byte == .colon && colon()
            case .comma: byte == .comma ? comma() : close(byte)
            case .firstKey: byte == .quote ? key() : byte == .closeBrace && close(byte)
            case .key: byte == .quote && key()
            case .firstElement: byte == .closeBracket ? close(byte) : value(byte)
            default: value(byte)
            }
        return isTaken ? .next(position + 1) : .stops(position, isInToken: false)
    }

    private mutating func colon() -> Bool {
        output.colon()
        state = .memberValue
        return true
    }

    private mutating func comma() -> Bool {
        output.append(.comma)
        state = containers.last == true ? .key : .element
        return true
    }

    private mutating func key() -> Bool {
        output.lineBreak(depth: containers.count)
        output.open(.key)
        output.append(.quote)
        isKey = true
        state = .string
        return true
    }

    private mutating func close(_ byte: UInt8) -> Bool {
        guard let isObject = containers.last, byte == (isObject ? .closeBrace : .closeBracket) else { return false }
        containers.removeLast()
        if state == .comma { output.lineBreak(depth: containers.count) }
        output.append(byte)
        endValue()
        return true
    }

    /// Begins the value that starts with this byte. Returns false if no value starts with it.
    private mutating func value(_ byte: UInt8) -> Bool {
        switch byte {
        case .quote:
            begin(.string, byte, as: .string)
            isKey = false
        case .openBrace: return open(byte, .firstKey)
        case .openBracket: return open(byte, .firstElement)
        case .minus: begin(.minus, byte, as: .number)
        case .zero: begin(.zero, byte, as: .number)
        case .zero ... .nine: begin(.digits, byte, as: .number)
        case 0x74: beginWord("true", byte, as: .bool)
        case 0x66: beginWord("false", byte, as: .bool)
        case 0x6E: beginWord("null", byte, as: .null)
        case 0xEF where state == .topLevel && valueCount == 0:
            expected = [0xBB, 0xBF]
            output.append(byte)
            state = .byteOrderMark
        default: return false
        }
        return true
    }

    private mutating func open(_ byte: UInt8, _ next: State) -> Bool {
        guard containers.count < Self.deepest else { return false }
        place()
        output.append(byte)
        containers.append(byte == .openBrace)
        state = next
        return true
    }

    private mutating func begin(_ next: State, _ byte: UInt8, as sort: JSONColours.Sort) {
        place()
        output.open(sort)
        output.append(byte)
        state = next
    }

    private mutating func beginWord(_ word: StaticString, _ byte: UInt8, as sort: JSONColours.Sort) {
        begin(.word, byte, as: sort)
        expected = word.withUTF8Buffer { ArraySlice($0.dropFirst()) }
    }

    /// Starts a new line for the next value, if the value needs its own line.
    private mutating func place() {
        switch state {
        case .firstElement, .element: output.lineBreak(depth: containers.count)
        case .topLevel where valueCount > 0: output.endLine()
        default: break
        }
    }

    mutating func endValue() {
        if containers.isEmpty {
            valueCount += 1
            state = .topLevel
        } else {
            state = .comma
        }
    }
}
