import ReqcliMatching
import ReqcliText

/// Changes the text of a snapshot so that it describes another response. Equal parts keep their bytes, their place and their
/// order, so that a review shows only the change.
struct SnapshotPatch {
    private let style: JSONStyle
    private let fingerprints: (old: JSONFingerprints, new: JSONFingerprints)

    /// The new text of a file. `old` is the whole content of the file.
    static func text(from old: JSONValue, to new: JSONValue) -> [UInt8] {
        let bytes = old.place.file.bytes
        let patch = SnapshotPatch(old, new)
        let text = patch.text(old, new, indent: "")
        return bytes[..<old.range.lowerBound] + Array(text.utf8) + bytes[old.range.upperBound...]
    }

    private init(_ old: JSONValue, _ new: JSONValue) {
        style = JSONStyle(of: old)
        fingerprints = (JSONFingerprints(of: old), JSONFingerprints(of: new))
    }

    private func text(_ old: JSONValue, _ new: JSONValue, indent: String) -> String {
        if fingerprints.old[old] == fingerprints.new[new] { return old.text }
        switch (old.kind, new.kind) {
        case (.object, .object): return container("{", members(old, new, indent + style.indent), "}", old, indent)
        case (.array, .array): return container("[", elements(old, new, indent + style.indent), "]", old, indent)
        default: return added(new, indent: indent)
        }
    }

    /// A value that the file does not have yet.
    private func added(_ value: JSONValue, indent: String) -> String {
        style.spread(OrderedJSON(value), indent: indent)
    }

    /// The text of an object or a list. If the old text is on one line, the new text is on one line, too.
    private func container(
        _ opening: String, _ items: [String], _ closing: String, _ old: JSONValue, _ indent: String
    ) -> String {
        if items.isEmpty { return opening + closing }
        let isShort = old.count > 0 && !old.text.utf8.contains(0x0A) && !items.contains { $0.utf8.contains(0x0A) }
        guard !isShort, let lineBreak = style.lineBreak else {
            let padding = old.kind == .object ? style.bracePadding : style.bracketPadding
            return opening + padding + items.joined(separator: style.comma) + padding + closing
        }
        let inner = lineBreak + indent + style.indent
        return opening + inner + items.joined(separator: "," + inner) + lineBreak + indent + closing
    }

    /// The members in their old order. A new member is placed after the member that precedes it in the response.
    private func members(_ old: JSONValue, _ new: JSONValue, _ indent: String) -> [String] {
        let wanted = new.valuesByName
        let known = old.valuesByName
        var texts: [String] = []
        var added: [MemberName?: [String]] = [:]
        var last: MemberName?
        for member in new.members {
            let name = MemberName(member.name)
            if known[name] == nil {
                added[last, default: []].append(
                    member.key.text + style.colon + self.added(member.value, indent: indent))
            } else {
                last = name
            }
        }
        texts += added[nil] ?? []
        for member in old.members {
            let name = MemberName(member.name)
            guard let value = wanted[name] else { continue }
            texts.append(member.key.text + style.colon + text(member.value, value, indent: indent))
            texts += added[name] ?? []
        }
        return texts
    }

    private func elements(_ old: JSONValue, _ new: JSONValue, _ indent: String) -> [String] {
        let (before, after) = (Array(old.elements), Array(new.elements))
        let numbers = (before.map { fingerprints.old[$0] }, after.map { fingerprints.new[$0] })
        let steps = Alignment.steps(before.count, after.count) { numbers.0[$0] == numbers.1[$1] }
        return steps.flatMap { step -> [String] in
            switch step {
            case .same(let index, _): return [before[index].text]
            case .different(let gone, let come):
                let pairs = zip(before[gone], after[come]).map { text($0, $1, indent: indent) }
                return pairs + after[come].dropFirst(pairs.count).map { added($0, indent: indent) }
            }
        }
    }
}
