/// A scalar, an alias or nothing. The reader has read it, but doesn't know yet whether it is a key or a value.
struct YAMLNode {
    enum Style: Equatable {
        case plain
        case quoted
        case block
        case empty
        /// An alias to a usable anchor.
        case alias(YAMLAnchor)
        /// An alias that was reported as a mistake.
        case invalid
    }

    let style: Style
    let range: Range<Int>
    /// The range of the value in the decoded bytes; nil if the source is the value.
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
    /// The range of the anchor and the tag; nil if there is neither.
    var range: Range<Int>?

    var isEmpty: Bool { range == nil }
}

struct YAMLTag: Equatable {
    enum Name: String {
        case str, int, float, bool, null, map, seq
        /// The tag `!`, which makes a scalar a string.
        case unspecific = "!"
        /// A tag that was reported as a mistake.
        case unknown
    }

    let name: Name
    let range: Range<Int>

    /// The tag in a message.
    var description: String { name == .unspecific ? "!" : "!!\(name.rawValue)" }
}

/// The node that aliases with one name refer to. Its size and its height limit how much aliases may repeat.
struct YAMLAnchor: Equatable {
    /// The kind of the node, as a raw value of `JSONValue.Kind`.
    var kind: UInt8
    /// Whether the node hasn't ended yet. An alias to the node would then be inside the node itself.
    var isOpen = false
    /// The number of levels inside the node.
    var height: UInt16 = 0
    /// The index of a container, or the start of a scalar's range in the file.
    var start: UInt32
    var end: UInt32 = 0
    /// The range of a scalar's decoded value; empty if there is no decoded value.
    var decodedStart: UInt32 = .max
    var decodedEnd: UInt32 = .max
    /// The number of values that a walk through the node visits.
    var size: UInt32 = 1
}

struct YAMLAnchors {
    var byName: [String: YAMLAnchor] = [:]
    /// The number of values that were read. An alias counts as one.
    var nodes = 0
    /// The number of values that a walk through the tree visits.
    var expanded = 0
    /// The deepest level so far inside the innermost container that is open.
    var deepest = 0
    /// The number of members that were written again because of merged keys.
    var mergedMembers = 0
    /// The first alias that made the tree too large: a walk visits more than ten times as many values as were read.
    var firstExcess: Range<Int>?
    var isExcessReported = false

    func isExcess(nodes: Int) -> Bool { expanded > 10 * nodes + 100_000 }
}

/// The key `<<` of a mapping.
struct YAMLMerging {
    let key: Range<Int>
    /// The index of the key's value.
    let value: Int
}
