import ReqcliBasics
import Testing

@Suite("Unique names")
struct UniqueNamesTests {
    @Test("Each name is given once, with a number if it is taken")
    func numbers() {
        var names = UniqueNames(["id", "a-2"])
        #expect(
            ["id", "id", "a", "a", "a", "id-2", "id"].map { names.take($0) } == [
                "id-2", "id-3", "a", "a-3", "a-4", "id-2-2", "id-4",
            ])
    }

    @Test("A free name that isn't taken stays free, and one that is inserted doesn't")
    func freeing() {
        var names = UniqueNames(separator: "_")
        #expect(names.free("a") == "a" && names.free("a") == "a")
        #expect(names.insert("a") && !names.insert("a"))
        #expect(names.free("a") == "a_2" && names.free("a") == "a_2")
        #expect(names.contains("a") && !names.contains("a_2"))
    }
}
