import ReqcliBasics

extension JSONPrinter {
    @inline(__always)
    mutating func string(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Step {
        var position = PlainText.end(in: bytes, from: start, stopsAtNonASCII: false)
        while position < bytes.count {
            let byte = bytes[position]
            if byte == .quote || byte == .backslash || byte < .space { break }
            position += 1
        }
        guard position < bytes.count, bytes[position] >= .space else {
            output.append(UnsafeRawBufferPointer(rebasing: bytes[start..<position]))
            return position < bytes.count ? .stops(position, isInToken: true) : .next(position)
        }
        output.append(UnsafeRawBufferPointer(rebasing: bytes[start...position]))
        if bytes[position] == .backslash {
            state = .escape
        } else {
            output.close()
            if isKey { state = .colon } else { endValue() }
        }
        return .next(position + 1)
    }

    mutating func escape(_ bytes: UnsafeRawBufferPointer, _ position: Int) -> Step {
        let byte = bytes[position]
        if state == .hexDigits {
            guard byte.hexValue != nil else { return .stops(position, isInToken: true) }
            expected = expected.dropFirst()
            if expected.isEmpty { state = .string }
        } else {
            let isUnicode = byte == 0x75
            guard isUnicode || JSONStringText.simpleEscape(byte) != nil else {
                return .stops(position, isInToken: true)
            }
            expected = isUnicode ? [0, 0, 0, 0] : []
            state = isUnicode ? .hexDigits : .string
        }
        output.append(byte)
        return .next(position + 1)
    }

    mutating func word(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Step {
        var position = start
        while position < bytes.count, let byte = expected.first {
            guard bytes[position] == byte else { return .stops(position, isInToken: true) }
            output.append(byte)
            expected = expected.dropFirst()
            position += 1
        }
        guard expected.isEmpty else { return .next(position) }
        switch state {
        case .byteOrderMark: state = .topLevel
        case .word where position == bytes.count: state = .wordEnd
        default: return endScalar(bytes, position)
        }
        return .next(position)
    }

    @inline(__always)
    mutating func number(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Step {
        var position = start
        while position < bytes.count, let next = state.numberState(after: bytes[position]) {
            state = next
            position += 1
        }
        output.append(UnsafeRawBufferPointer(rebasing: bytes[start..<position]))
        if position == bytes.count { return .next(position) }
        return state.canEndNumber ? endScalar(bytes, position) : .stops(position, isInToken: true)
    }

    /// Ends a number or a word, unless the next byte could continue it.
    private mutating func endScalar(_ bytes: UnsafeRawBufferPointer, _ position: Int) -> Step {
        let byte = bytes[position]
        if byte.isWordByte || byte == .point || byte == .plus || byte == .minus {
            return .stops(position, isInToken: true)
        }
        output.close()
        endValue()
        return .next(position)
    }

    /// Ends a number or a word that reaches to the end of the text.
    mutating func endLastToken() {
        if state == .wordEnd || state.canEndNumber { endValue() }
        output.close()
    }
}

extension JSONPrinter.State {
    /// The state after one more byte of a number; nil if the byte cannot continue it.
    @inline(__always)
    func numberState(after byte: UInt8) -> Self? {
        switch self {
        case .minus: byte == .zero ? .zero : byte.isDigit ? .digits : nil
        case .zero: byte == .point ? .point : byte | 0x20 == 0x65 ? .exponent : nil
        case .digits: byte.isDigit ? .digits : byte == .point ? .point : byte | 0x20 == 0x65 ? .exponent : nil
        case .point: byte.isDigit ? .fraction : nil
        case .fraction: byte.isDigit ? .fraction : byte | 0x20 == 0x65 ? .exponent : nil
        case .exponent: byte == .plus || byte == .minus ? .exponentSign : byte.isDigit ? .exponentDigits : nil
        case .exponentSign, .exponentDigits: byte.isDigit ? .exponentDigits : nil
        default: nil
        }
    }

    var canEndNumber: Bool {
        switch self {
        case .zero, .digits, .fraction, .exponentDigits: true
        default: false
        }
    }
}
