import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

/// The tables and the decoder agree: every key is decoded, and means something.
@Suite struct TableTests {
    private static let good = Fixture.all("good")

    private static func root(_ fixture: Fixture) -> (value: OrderedJSON, object: ObjectSchema)? {
        let source = SourceFile(name: fixture.path, bytes: fixture.bytes)
        guard let value = JSONDocument.read(source).root.map({ OrderedJSON($0) }),
            case .object(let members) = value
        else { return nil }
        let isSingle = fixture.kind == .endpoint && !members.contains { $0.name == "endpoints" }
        return (value, fixture.kind.roots[isSingle ? 1 : 0])
    }

    @Test("the good fixtures are decoded without a complaint", arguments: good)
    func isAccepted(_ fixture: Fixture) {
        #expect(lines(fixture.decoded().diagnostics) == [])
    }

    @Test("every key of every table stands in a good fixture")
    func everyKeyHasAnExample() {
        var met: Set<String> = []
        for fixture in Self.good {
            guard let root = Self.root(fixture) else {
                Issue.record("\(fixture.path) holds no object")
                continue
            }
            var walk = SchemaWalk()
            walk.walk(root.value, root.object)
            met.formUnion(walk.met.map(\.key))
        }
        let all = SchemaWalk.allKeys(from: FormatSchema.allCases.flatMap(\.roots))
        #expect(all.filter { !met.contains($0) } == [])
        #expect(all.count > 150)
    }

    @Test("taking any key away changes what is decoded", arguments: good)
    func everyKeyIsDecoded(_ fixture: Fixture) {
        guard let root = Self.root(fixture) else {
            Issue.record("\(fixture.path) holds no object")
            return
        }
        let whole = fixture.decoded().model
        var walk = SchemaWalk()
        walk.walk(root.value, root.object)
        for met in walk.met {
            let less = Array(root.value.removing(met.path[...]).compact.utf8)
            let isDifferent = Fixture.decode(less, as: fixture.kind).model != whole
            #expect(isDifferent, "without \(met.key)")
        }
    }

    @Test("every table has a name of its own, and words to describe each key")
    func tablesAreWhole() {
        let objects = ObjectSchema.reachable(from: FormatSchema.allCases.flatMap(\.roots))
        #expect(Dictionary(grouping: objects, by: \.name).filter { $0.value.count > 1 }.isEmpty)
        for object in objects {
            #expect(!object.title.isEmpty && object.summary.hasSuffix("."), "\(object.name)")
            #expect(Set(object.fields.map(\.name)).count == object.fields.count, "\(object.name)")
            for field in object.fields {
                #expect(field.summary.hasSuffix(".") && !field.expects.isEmpty, "\(object.name).\(field.name)")
            }
        }
    }
}
