import Foundation
import Importing
import SourceText
import TestSupport
import Testing

/// Damaged descriptions by chance, the same ones in every run. `REQCLI_FUZZ=1000000` asks for as many.
struct OpenAPIFuzzTests {
    private static let count = ProcessInfo.processInfo.environment["REQCLI_FUZZ"].flatMap { Int($0) } ?? 2_000

    @Test("Mutated descriptions give an import or a diagnostic")
    func mutations() {
        var generator = SeededGenerator(seed: 7)
        let texts =
            [OpenAPIFormatTests.bodies, OpenAPIFormatTests.responses].flatMap(\.self).map {
                OpenAPIImport.description($0.operation, method: $0.method, $0.rest)
            } + OpenAPIParameterTests.cases.map { OpenAPIImport.description($0.operation, path: $0.path) }
        let words = [
            "$ref: '#/paths'", "null", "[]", "{}", "-1", "1e999", "true", "''", "type: array", "'\u{E9}{{'",
            "properties:", "0",
            "$ref: '#'", "9223372036854775807", "-9223372036854775808", "allOf: [ {} ]", "nullable: true", "in: header",
        ]
        var imported = 0
        for _ in 0..<Self.count {
            guard let text = texts.randomElement(using: &generator) else { continue }
            var scalars = Array(text.unicodeScalars)
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let place = Int.random(in: 0..<scalars.count, using: &generator)
                let end = min(scalars.count, place + Int.random(in: 0...6, using: &generator))
                let word = Bool.random(using: &generator) ? words.randomElement(using: &generator) ?? "" : ""
                scalars.replaceSubrange(place..<end, with: word.unicodeScalars)
            }
            let mutated = String(String.UnicodeScalarView(scalars))
            if (try? OpenAPIImport.run(mutated) { $0.stubs = .all }) != nil { imported += 1 }
        }
        #expect(imported > Self.count / 10)
    }
}
