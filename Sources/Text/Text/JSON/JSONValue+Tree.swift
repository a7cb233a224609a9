extension JSONValue {
    /// The values directly inside this value: an array's elements, or an object's member values. A scalar has no values inside.
    package var children: Elements { Elements(self, isObject: kind == .object) }

    /// This value and every value inside it, in the order of the text. A container comes before its contents.
    package var descendants: Descendants { Descendants(self) }

    /// Iterates over a part of the tape, and over the parts that its entries refer to. The iteration needs no recursion, however
    /// deep the tree is.
    package struct Descendants: Sequence, IteratorProtocol, Sendable {
        private let document: JSONDocument
        private var index: Int
        private var end: Int
        /// A stack of the places at which to continue after each part that an entry refers to.
        private var outer: [(index: Int, end: Int)] = []

        init(_ value: JSONValue) {
            document = value.document
            index = value.index
            end = value.behind
        }

        package mutating func next() -> JSONValue? {
            let tape = document.tape
            while index < end || returnToOuter() {
                let current = index
                index = tape.following(current)
                if tape.isKey(current) { continue }
                let target = tape.target(current)
                if target != current {
                    outer.append((tape.next(current), end))
                    (index, end) = (tape.following(target), tape.next(target))
                }
                return JSONValue(document: document, index: target)
            }
            return nil
        }

        private mutating func returnToOuter() -> Bool {
            while let last = outer.popLast() {
                (index, end) = last
                if index < end { return true }
            }
            return false
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
        let tape = document.tape
        var steps: [Step] = []
        var current = ancestor.index
        while current != index {
            let target = tape.target(current)
            if target == index { break }
            // A new object with merged keys is written inside the object that it replaces. No other value is moved.
            if target > current, target <= index {
                current = target
                continue
            }
            let isObject = tape.kind(current) == .object
            var (child, position) = (tape.following(current) + (isObject ? 1 : 0), 0)
            while child < tape.next(current), tape.next(child) <= index {
                child = tape.next(child) + (isObject ? 1 : 0)
                position += 1
            }
            guard child <= index else { return nil }
            let name = JSONValue(document: document, index: child - 1)
            steps.append(isObject ? .key(name.string ?? "") : .index(position))
            current = child
        }
        return steps
    }

    /// The index after this value and all values in it.
    private var behind: Int { document.tape.next(index) }
}
