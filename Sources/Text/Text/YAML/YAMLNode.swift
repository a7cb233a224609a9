/// A scalar, an alias or nothing, as read: it may yet become a key or a value.
struct YAMLNode {
    enum Style: Equatable {
        case plain
        case quoted
        case block
        case empty
        /// An alias to a usable anchor.
        case alias(YAMLAnchor)
        /// An alias that was reported.
        case invalid
    }

    let style: Style
    let range: Range<Int>
    /// Where its value is among the decoded bytes; nil if the text is the value.
    let decoded: Range<Int>?

    init(_ style: Style, _ range: Range<Int>, decoded: Range<Int>? = nil) {
        (self.style, self.range, self.decoded) = (style, range, decoded)
    }
}

/// The anchor and the tag before a node.
struct YAMLProperties {
    /// The name of the anchor.
    var anchor: Range<Int>?
    var tag: YAMLTag?
    /// Where they stand; nil if there are none.
    var range: Range<Int>?

    var isEmpty: Bool { range == nil }
}

struct YAMLTag: Equatable {
    enum Name: String {
        case str, int, float, bool, null, map, seq
        /// `!`, which makes a scalar text.
        case unspecific = "!"
        /// A tag that was reported.
        case unknown
    }

    let name: Name
    let range: Range<Int>

    /// The tag in a message.
    var description: String { name == .unspecific ? "!" : "!!\(name.rawValue)" }
}

/// What an alias can stand for, and the account of how much all aliases do.
struct YAMLAnchor: Equatable {
    /// The kind of the node, as a raw value of `JSONValue.Kind`.
    var kind: UInt8
    /// Whether the node ends behind the alias, which then stands inside of what it stands for.
    var isOpen = false
    /// How many levels are inside the node.
    var height: UInt16 = 0
    /// The index of a container, or the range of a scalar's text.
    var start: UInt32
    var end: UInt32 = 0
    /// The range of a scalar's decoded text; empty for none.
    var decodedStart: UInt32 = .max
    var decodedEnd: UInt32 = .max
    /// How many values a walk through the node sees.
    var size: UInt32 = 1
}

struct YAMLAnchors {
    var byName: [String: YAMLAnchor] = [:]
    /// How many values were read. An alias is one.
    var nodes = 0
    /// How many values a walk through the tree sees.
    var expanded = 0
    /// The deepest level so far inside the outermost node that is looked at.
    var deepest = 0
    /// How many members were written again because of merged keys.
    var mergedMembers = 0
    /// The first alias with which a walk takes more than ten times the nodes.
    var firstExcess: Range<Int>?
    var isExcessReported = false

    func isExcess(nodes: Int) -> Bool { expanded > 10 * nodes + 100_000 }
}

/// The `<<` of a mapping.
struct YAMLMerging {
    let key: Range<Int>
    /// The index of its value.
    let value: Int
}
