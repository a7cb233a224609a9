import ReqcliText

/// The paths of findings as a tree. With the tree, the values at all paths are found in one pass over a document.
struct PathTree {
    /// The change to make at one path.
    enum Subject {
        case members(gone: Set<MemberName>, new: [MemberName])
        /// `wrong` are the types that only the stub has. `missing` are the types that only the server's response has.
        case type(wrong: JSONShape.Types, missing: JSONShape.Types)
        case format
    }

    /// A value at a path. `container` is the nearest list or map around the value. `item` is the element of this container that
    /// contains the value.
    struct Match {
        let value: JSONValue
        let container: JSONValue?
        let item: JSONValue?
        /// The key of the element, if it is in a map.
        let key: String?
    }

    private struct Node {
        var children: [ShapeComparison.PathStep: Int] = [:]
        var subjects: [Int] = []
    }

    private var nodes = [Node()]
    private(set) var subjects: [Subject] = []

    init(_ findings: [ShapeFinding]) {
        for finding in findings {
            switch finding.kind {
            case .gone,
                .new where finding.stub == nil:
                guard case .member(let name) = finding.steps.last else { continue }
                addMember(name, isGone: finding.kind == .gone, to: node(finding.steps.dropLast()))
            case .format: add(.format, to: node(finding.steps[...]))
            case .type, .null, .new:
                let place = node(finding.steps[...])
                let types = finding.types
                let subject = Subject.type(
                    wrong: types.stub.subtracting(types.answer), missing: types.answer.subtracting(types.stub))
                // A type finding and a null finding at the same path lead to only one change.
                if !nodes[place].subjects.contains(where: { if case .type = subjects[$0] { true } else { false } }) {
                    add(subject, to: place)
                }
            }
        }
    }

    private mutating func node(_ steps: ArraySlice<ShapeComparison.PathStep>) -> Int {
        var place = 0
        for step in steps {
            if let known = nodes[place].children[step] {
                place = known
            } else {
                nodes.append(Node())
                nodes[place].children[step] = nodes.count - 1
                place = nodes.count - 1
            }
        }
        return place
    }

    private mutating func add(_ subject: Subject, to place: Int) {
        subjects.append(subject)
        nodes[place].subjects.append(subjects.count - 1)
    }

    private mutating func addMember(_ name: MemberName, isGone: Bool, to place: Int) {
        for index in nodes[place].subjects {
            guard case .members(var gone, var new) = subjects[index] else { continue }
            // Release the stored names first. Otherwise adding a name would copy them all.
            subjects[index] = .format
            if isGone { gone.insert(name) } else { new.append(name) }
            subjects[index] = .members(gone: gone, new: new)
            return
        }
        add(.members(gone: isGone ? [name] : [], new: isGone ? [] : [name]), to: place)
    }

    /// The values of each subject, in the order of the documents.
    func matches(in roots: [JSONValue]) -> [[Match]] {
        var matches: [[Match]] = Array(repeating: [], count: subjects.count)
        var open = roots.reversed().map { root in
            (match: Match(value: root, container: nil, item: nil, key: nil), node: 0)
        }
        while let (match, place) = open.popLast() {
            for subject in nodes[place].subjects { matches[subject].append(match) }
            let children = nodes[place].children
            if children.isEmpty { continue }
            var inner: [(match: Match, node: Int)] = []
            func enter(_ value: JSONValue, _ step: ShapeComparison.PathStep, key: String? = nil) {
                guard let next = children[step] else { return }
                let found =
                    if case .member = step {
                        Match(value: value, container: match.container, item: match.item, key: match.key)
                    } else {
                        Match(value: value, container: match.value, item: value, key: key)
                    }
                inner.append((found, next))
            }
            for element in match.value.elements { enter(element, .elements) }
            for member in match.value.members {
                enter(member.value, .member(MemberName(member.name)))
                enter(member.value, .mapValues, key: member.name)
            }
            open += inner.reversed()
        }
        return matches
    }
}
