/// A request as received, byte for byte.
package struct RecordedRequest: Hashable, Sendable {
    package let method: String
    package let target: String
    package let version: String
    /// Names and values in the order received, in their original spelling.
    package let headers: [Header]
    /// The body without chunked encoding.
    package let body: [UInt8]

    package struct Header: Hashable, Sendable {
        package let name: String
        package let value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package init(method: String, target: String, headers: [Header], body: [UInt8]) {
        self.method = method
        self.target = target
        version = "HTTP/1.1"
        self.headers = headers
        self.body = body
    }

    package func values(_ name: String) -> [String] {
        headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }
}

extension RecordedRequest {
    /// Reads one message from the start of some bytes; nil while it is not complete.
    package init?(_ bytes: [UInt8], consumed: inout Int) {
        guard let end = Self.endOfHead(bytes) else { return nil }
        var lines = Self.lines(bytes[..<end])
        guard !lines.isEmpty else { return nil }
        let start = lines.removeFirst().split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
        guard start.count == 3 else { return nil }
        let parts = start.map { String(decoding: $0, as: UTF8.self) }
        (method, target, version) = (parts[0], parts[1], parts[2])
        let fields = lines.map { line in
            let pair = line.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
            let value = pair.count == 2 ? pair[1].drop { $0 == 0x20 } : []
            return Header(name: String(decoding: pair[0], as: UTF8.self), value: String(decoding: value, as: UTF8.self))
        }
        headers = fields
        let rest = bytes[(end + 4)...]
        func header(_ name: String) -> String? { fields.first { $0.name.lowercased() == name }?.value }
        if header("transfer-encoding")?.lowercased() == "chunked" {
            guard let (data, count) = Self.dechunked(rest) else { return nil }
            body = data
            consumed = end + 4 + count
        } else {
            let length = header("content-length").flatMap { Int($0) } ?? 0
            guard rest.count >= length else { return nil }
            body = Array(rest.prefix(length))
            consumed = end + 4 + length
        }
    }

    package static func endOfHead(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        return (0...(bytes.count - 4)).first {
            bytes[$0] == 13 && bytes[$0 + 1] == 10 && bytes[$0 + 2] == 13 && bytes[$0 + 3] == 10
        }
    }

    private static func lines(_ head: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var result: [ArraySlice<UInt8>] = []
        var start = head.startIndex
        var index = start
        while index + 1 < head.endIndex {
            if head[index] == 13, head[index + 1] == 10 {
                result.append(head[start..<index])
                start = index + 2
            }
            index += 1
        }
        return result + [head[start...]]
    }

    private static func dechunked(_ bytes: ArraySlice<UInt8>) -> (data: [UInt8], count: Int)? {
        var data: [UInt8] = []
        var index = bytes.startIndex
        while let lineEnd = bytes[index...].firstIndex(of: 10) {
            let text = String(decoding: bytes[index..<lineEnd], as: UTF8.self).prefix { $0.isHexDigit }
            guard let size = Int(text, radix: 16), lineEnd + 1 + size + 2 <= bytes.endIndex else { return nil }
            data += bytes[(lineEnd + 1)..<(lineEnd + 1 + size)]
            index = lineEnd + 1 + size + 2
            if size == 0 { return (data, index - bytes.startIndex) }
        }
        return nil
    }
}
