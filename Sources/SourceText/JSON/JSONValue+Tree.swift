extension JSONValue {
    /// The values directly inside: an array's elements, an object's member values, none for a scalar.
    package var children: Elements { Elements(self, isObject: kind == .object) }

    /// This value and every value inside it, in the order of the text. A container comes before its contents.
    package var descendants: Descendants { Descendants(self) }

    /// Iterates over a part of the tape. However deep the tree is, this needs no recursion.
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

    /// The steps from an ancestor down to this value; nil if the value is not inside it.
    ///
    /// The search goes down from the ancestor, so its time grows with the number of siblings before each step.
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

    /// The index after this value and everything in it.
    private var behind: Int { document.tape.next(index) }

    /// The name of the member whose value this is. The key is the entry right before its value.
    private var memberName: String { JSONValue(document: document, index: index - 1).string ?? "" }
}
