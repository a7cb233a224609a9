import ReqcliNetworking
import RequestBuilding
import TestSupport
import Testing

/// Requests with many parts.
struct ManyItemsTests {
    @Test("The cost of building a query is linear in its number of items")
    func query() throws {
        let growth = try Growth.fourfold(500) { count in
            let builders = (0..<count).map { RequestBuilder().queryItem("k\($0)", "\($0)") }
            let builder = RequestBuilder(joining: [RequestBuilder().baseURL("http://h")] + builders)
            _ = try builder.prepared()
        }
        #expect(growth < 9, "\(growth)")
    }

    @Test("The cost of setting headers is linear in their number")
    func headers() throws {
        let growth = try Growth.fourfold(2000) { count in
            let builders = (0..<count).map { RequestBuilder().header("X-\($0 + 10_000)", "1") }
            let builder = RequestBuilder(joining: [RequestBuilder().baseURL("http://h")] + builders)
            _ = try builder.prepared()
        }
        #expect(growth < 9, "\(growth)")
    }

    @Test(
        "Setting, adding and removing headers gives the same result as editing a list", arguments: [0, 63, 64, 65, 200])
    func headerOrder(others: Int) {
        var random = SeededGenerator(seed: 5)
        let names = ["A", "a", "É", "é", "content-type", "Content-Type", "X-1", "x-1"]
        for _ in 0..<100 {
            var fields = HeaderFields((0..<others).map { .init("X-\($0)", "") })
            var model = Array(fields)
            func isNamed(_ name: String) -> (HeaderFields.Field) -> Bool { { $0.name.isSameHeader(as: name) } }
            for number in 0..<12 {
                let name = names.randomElement(using: &random) ?? ""
                switch Int.random(in: 0..<3, using: &random) {
                case 0:
                    fields.append(name, "\(number)")
                    model.append(.init(name, "\(number)"))
                case 1:
                    let values = ["\(number)", "\(number)x"]
                    fields.set(name, values)
                    let first = model.firstIndex(where: isNamed(name)) ?? model.endIndex
                    model.removeAll(where: isNamed(name))
                    model.insert(contentsOf: values.map { .init(name, $0) }, at: first)
                default:
                    fields.remove(name)
                    model.removeAll(where: isNamed(name))
                }
                #expect(Array(fields) == model)
                #expect(fields == HeaderFields(model))
            }
        }
    }

    @Test("Setting, adding and removing query items in any order gives the same result as editing a list")
    func order() throws {
        var random = SeededGenerator(seed: 5)
        let names = ["a", "é", "e\u{301}", "a b", "%"]
        for _ in 0..<200 {
            var builder = RequestBuilder().baseURL("http://h")
            var model: [(name: String, value: String)] = []
            func isNamed(_ name: String) -> ((name: String, value: String)) -> Bool {
                { $0.name.utf8.elementsEqual(name.utf8) }
            }
            for number in 0..<12 {
                let name = names.randomElement(using: &random) ?? ""
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    builder = builder.addingQueryItem(name, "\(number)")
                    model.append((name, "\(number)"))
                case 1:
                    let values = ["\(number)", "\(number)x"]
                    builder = builder.queryItem(name, values: values)
                    let first = model.firstIndex(where: isNamed(name)) ?? model.endIndex
                    model.removeAll(where: isNamed(name))
                    model.insert(contentsOf: values.map { (name, $0) }, at: first)
                case 2:
                    builder = builder.removingQueryItem(name)
                    model.removeAll(where: isNamed(name))
                default: builder = builder.modifyURLComponents { $0.port = 80 }
                }
            }
            let query = model.map { "\(PercentEncoding.queryComponent($0.name))=\($0.value)" }.joined(separator: "&")
            let url = try builder.prepared().url
            #expect((url.query(percentEncoded: true) ?? "") == query)
        }
    }
}
