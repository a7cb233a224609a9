import Importing
import SourceText
import TestSupport
import Testing

@Suite("Importing Hurl files")
struct HurlFormatTests {
    /// One entry for `http://h/a`, with the definition of its endpoint.
    static func one(_ name: String, _ text: String, _ definition: String, notes: [String] = []) -> FormatCase {
        FormatCase(name, [("x/list.hurl", text)], ["a": #"{"endpoints":{"list":\#(definition)}}"#], notes: notes)
    }

    static let requests: [FormatCase] = [
        one("a request", "GET http://h/a\n", #"{"path":"/a"}"#)
    ]

    @Test("Entries become endpoints", arguments: requests)
    func entries(_ example: FormatCase) throws { try example.check(HurlFormat.self) }
}
