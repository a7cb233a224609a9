extension JSONValue {
    /// The values directly inside: an array's elements, an object's member values, nothing for a scalar.
    package var children: Elements { Elements(self, isObject: kind == .object) }

    /// This value and every value inside it, in the order of the text; a container comes before what it holds.
    package var descendants: Descendants { Descendants(self) }

    /// An iteration over a stretch of the tape: as deep as the tree may be, it needs no stack.
    package struct Descendants: Sequence, IteratorProtocol, Sendable {
        private let document: JSONDocument
        private var index: Int
        private let end: Int

        init(_ value: JSONValue) {
            document = value.document
            index = value.index
            end = value.behind
        }

        package mutating func next() -> JSONValue? {
            while index < end {
                let current = index
                index = document.tape.following(current)
                if !document.tape.isKey(current) { return JSONValue(document: document, index: current) }
            }
            return nil
        }
    }

    /// One step down the tree.
    package enum Step: Sendable, Hashable {
        case key(String)
        case index(Int)
    }

    /// The steps that lead from a value down to this one; nil if it is not inside that one.
    ///
    /// They are searched on the way down, which takes as long as passing the siblings before each step.
    package func steps(from ancestor: JSONValue) -> [Step]? {
        guard document === ancestor.document, ancestor.index <= index, index < ancestor.behind else { return nil }
        var steps: [Step] = []
        var current = ancestor
        while current.index != index {
            guard let (position, child) = current.children.enumerated().first(where: { $0.element.behind > index }),
                child.index <= index
            else { return nil }
            steps.append(current.kind == .object ? .key(child.memberName) : .index(position))
            current = child
        }
        return steps
    }

    /// The index behind this value and everything in it.
    private var behind: Int { document.tape.next(index) }

    /// A member's key is the entry right before its value.
    private var memberName: String { JSONValue(document: document, index: index - 1).string ?? "" }
}
