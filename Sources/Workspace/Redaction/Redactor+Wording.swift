package import ReqcliText

extension Redactor {
    /// The text with its secrets masked. A secret is masked only if at least a part of it is in a value that the text quotes; a
    /// match within the text's own words stays unchanged.
    package func redact(_ wording: Wording) -> Wording { redact(wording, mask: nil) }

    /// The text with the same mask in place of every secret that `redact` would mask.
    package func masking(_ wording: Wording, with mask: String) -> Wording { redact(wording, mask: mask) }

    private func redact(_ wording: Wording, mask: String?) -> Wording {
        if isEmpty || !wording.parts.contains(where: \.isQuoted) { return wording }
        var words: [Range<Int>] = []
        var start = 0
        for part in wording.parts {
            let end = start + part.text.utf8.count
            // Adjacent parts that are not quoted become one range, because they are shown as one text.
            let isNext = !part.isQuoted && words.last?.upperBound == start
            if isNext { words[words.count - 1] = words[words.count - 1].lowerBound..<end }
            if !isNext, !part.isQuoted { words.append(start..<end) }
            start = end
        }
        let bytes = Array(wording.text.utf8)
        let matches = matches(in: bytes, sparing: words)
        if matches.isEmpty { return wording }
        return masked(bytes, matches, words, mask)
    }

    /// Puts the masks into the text as the text's own words. Every other part remains a quoted value or the text's own words, as
    /// before.
    private func masked(
        _ bytes: [UInt8], _ matches: [Match], _ words: [Range<Int>], _ mask: String?
    ) -> Wording {
        var parts: [Wording] = []
        var shown = 0
        func show(upTo end: Int) {
            while shown < end {
                let own = words.first { $0.upperBound > shown }
                let isOwn = own.map { $0.lowerBound <= shown } ?? false
                let next = min(end, isOwn ? own?.upperBound ?? end : own?.lowerBound ?? end)
                let text = String(decoding: bytes[shown..<next], as: UTF8.self)
                parts.append(isOwn ? Wording(own: text) : Wording(quoting: text))
                shown = next
            }
        }
        for match in matches {
            show(upTo: match.range.lowerBound)
            parts.append(Wording(own: mask ?? String(decoding: self.mask(of: match), as: UTF8.self)))
            shown = match.range.upperBound
        }
        show(upTo: bytes.count)
        return parts.joined()
    }
}
