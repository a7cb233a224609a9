import ReqcliDefinitions

extension ObjectSchema {
    /// The objects and everything that their keys hold, without duplicates, in the order of the reference.
    static func reachable(from roots: [ObjectSchema]) -> [ObjectSchema] {
        var search = Search()
        for root in roots { search.take(root) }
        return search.found
    }

    private struct Search {
        private(set) var found: [ObjectSchema] = []
        private var known: Set<[String]> = []

        mutating func take(_ object: ObjectSchema) {
            // Objects are identified by name and keys, so that two different tables of one name both appear.
            guard known.insert([object.name] + object.fields.map(\.name)).inserted else { return }
            found.append(object)
            for field in object.fields { take(field.value) }
        }

        private mutating func take(_ node: SchemaNode) {
            switch node {
            case .object(let object): take(object)
            case .list(let element, _), .dictionary(_, let element), .choice(let element): take(element)
            case .either(let nodes): for node in nodes { take(node) }
            case .named(let name, let inner): if known.insert(["named", name]).inserted { take(inner()) }
            case .anything, .template, .nonObject, .null, .boolean, .number, .integer, .text, .words, .constant: break
            }
        }
    }
}
