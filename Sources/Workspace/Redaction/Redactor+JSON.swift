import ReqcliText

extension Redactor {
    /// A body with its secrets masked, and the number of masked places. JSON stays JSON: a number, `true`, `false` or
    /// `null` that holds a secret becomes a masked string.
    package func masked(body: [UInt8]) -> (body: [UInt8], count: Int) {
        let count = matches(in: body).count
        guard count > 0 else { return (body, 0) }
        return (redact(quotingScalars(in: body)), count)
    }

    /// The JSON with a masked string in place of each number, `true`, `false` or `null` that contains a secret. A mask inside a
    /// number would make the JSON invalid.
    private func quotingScalars(in body: [UInt8]) -> [UInt8] {
        guard let root = JSONDocument.read(SourceFile(name: "body", bytes: body)).validRoot else { return body }
        var result: [UInt8] = []
        var done = 0
        for value in root.descendants where [.number, .true, .false, .null].contains(value.kind) {
            let masked = redact(value.text)
            guard masked != value.text else { continue }
            result += body[done..<value.range.lowerBound]
            result += JSONStringText.quoted(masked).utf8
            done = value.range.upperBound
        }
        return result + body[done...]
    }
}
