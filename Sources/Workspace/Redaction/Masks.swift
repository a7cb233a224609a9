/// Finds the masks of a redactor in a text. When another secret becomes known, a text is masked again, and the masks that are
/// already in the text stay unchanged.
struct Masks: Sendable {
    static let opening = UInt8(ascii: "<")

    private let all: [[UInt8]]

    init(_ labels: [String]) { all = labels.map { Array("<\($0)>".utf8) } }

    /// The end of a mask that begins at an index; nil if no mask begins there. A mask that was cut off when a message was
    /// shortened is found, too.
    func end(at index: Int, in text: [UInt8]) -> Int? {
        let rest = text[index...]
        guard let second = rest.dropFirst().first else { return nil }
        for mask in all where mask[1] == second {
            let shared = zip(rest, mask).prefix { $0 == $1 }.count
            if shared == mask.count || shared > 1 && rest.dropFirst(shared).starts(with: SecretForms.cutMark) {
                return index + shared
            }
        }
        return nil
    }
}
