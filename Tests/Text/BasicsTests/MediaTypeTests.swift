import ReqcliBasics
import Testing

@Suite("Media types")
struct MediaTypeTests {
    @Test(
        "Parameters, spaces and capital letters don't count",
        arguments: [
            ("application/json", "application/json"), ("Text/HTML; charset=utf-8", "text/html"),
            (" \ttext/plain \t;a=b;c", "text/plain"), ("", ""), (";", ""), ("  ", ""),
        ])
    func name(_ text: String, _ name: String) {
        #expect(MediaType(text).name == name)
    }

    @Test(
        "JSON and XML are what the MIME Sniffing standard calls so",
        arguments: [
            ("application/json", "json"), ("text/json", "json"), ("application/problem+json;q=1", "json"),
            ("application/x-json", ""), ("json", ""), ("text/xml", "xml"), ("application/xml", "xml"),
            ("image/svg+xml", "xml"), ("text/x-xml", ""), ("application/jsonl", ""),
        ])
    func kinds(_ text: String, _ kind: String) {
        let type = MediaType(text)
        #expect(type.isJSON == (kind == "json"))
        #expect(type.isXML == (kind == "xml"))
    }
}
