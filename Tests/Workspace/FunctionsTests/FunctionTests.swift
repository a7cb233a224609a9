import ReqcliFunctions
import ReqcliText
import TestSupport
import Testing

/// The value of a placeholder over some names: the JSON, `missing`, or the message of the problem.
func shown(_ text: String, _ inputs: [String: OrderedJSON] = FunctionTests.inputs, from material: FunctionValue? = nil)
    -> String
{
    let pipeline: Pipeline?
    do throws(PipelineProblem) {
        pipeline = try Pipeline.read(text) { name throws(PipelineProblem) in
            if name.text == "unknown" { throw PipelineProblem("unknown is unknown", at: name.range) }
            return .json
        }
    } catch {
        let bytes = Array(text.utf8)
        return "\(error.message) ⟦\(String(decoding: bytes[error.range], as: UTF8.self))⟧"
    }
    guard let pipeline else { return "no functions" }
    let known = pipeline.names.compactMap { name in inputs[name.text].map { (name.range.lowerBound, $0) } }
    do throws(FunctionProblem) {
        let value = try pipeline.value(of: Dictionary(known, uniquingKeysWith: { $1 }), from: material)
        return value?.compact ?? "missing"
    } catch { return "problem: \(error.message)" }
}

@Suite("Functions of placeholders")
struct FunctionTests {
    static let inputs: [String: OrderedJSON] = [
        "name": "Ada B", "price": .number("9.99"), "half": .number("2.5"), "five": "5", "on": true, "none": .null,
        "ids": [1, "b", true], "empty": "", "nothing": [], "secret.key": "key", "euro": "€ é",
        "order": .object(["id": 7, "items": [.object(["n": 1]), .object(["n": 2])]]), "big": .number("1e300"),
        "created": "2026-03-01T12:30:00.250+01:00", "lines": "a\r\nb\n", "dots": "a.b.c",
    ]

    static let rows: [(String, String)] = [
        ("name | upper", #""ADA B""#), ("name|upper", "no functions"), ("name | upper | lower", #""ada b""#),
        ("name | replace ' ' '-'", #""Ada-B""#), (#"name | replace ' ' '\'\\'"#, #""Ada'\\B""#),
        ("name | slice 1 3", #""da""#), ("name | slice -1", #""B""#), ("name | slice 3 1", #""""#),
        ("ids | slice 1", #"["b",true]"#),
        ("dots | split '.'", #"["a","b","c"]"#), ("empty | split '.'", #"[""]"#), ("ids | join '-'", #""1-b-true""#),
        ("five | pad 3 '0'", #""005""#), ("five | pad -3 '.'", #""5..""#), ("euro | length", "3"),
        ("ids | length", "3"),
        ("order | length", "2"), ("name | trim", #""Ada B""#), ("on | upper", #""TRUE""#),
        ("gone | default 'x'", #""x""#), ("gone | upper | default 5", "5"), ("name | default 'x'", #""Ada B""#),
        ("gone | upper", "missing"), ("gone | default name", #""Ada B""#), ("name | replace gone 'x'", "missing"),
        ("none | default 1", "null"), ("nothing | first", "missing"), ("nothing | first | default 0", "0"),
        ("euro | base64", #""4oKsIMOp""#), ("euro | base64url", #""4oKsIMOp""#), ("euro | hex", #""e282ac20c3a9""#),
        ("euro | url", #""%E2%82%AC%20%C3%A9""#), ("euro | form", #""%E2%82%AC+%C3%A9""#),
        ("euro | url | fromURL", #""€ é""#),
        ("euro | hex | fromHex | utf8", #""€ é""#), ("euro | base64 | fromBase64 | utf8", #""€ é""#),
        ("order | json", #""{\"id\":7,\"items\":[{\"n\":1},{\"n\":2}]}""#),
        ("order | json | fromJSON | at '$.id'", "7"),
        ("name | md5 | hex", #""b74a6c8f2cd351fc6b49d21c3d6f8880""#),
        ("name | hmacSHA256 secret.key | hex", #""e057d556d15bb02b1c29981e123cdd7d533704ca1a23d41b2cfa6eaba5d627a6""#),
        ("price | plus 0.01", "10"), ("price | times 1.19 | round 2", "11.89"), ("half | round", "3"),
        ("half | round 3", "2.500"),
        ("price | minus 10", "-0.01"), ("five | plus 1", "6"), ("price | over 3", "3.33"),
        ("five | over 3", "1.666666666666666666666666667"),
        ("price | text", #""9.99""#), ("five | minus five | round 1", "0.0"), ("big | plus 1", "1e300"),
        ("created | fromISO | iso", #""2026-03-01T11:30:00Z""#), ("created | fromISO | unixMillis", "1772364600250"),
        ("created | fromISO | plus 1d | startOf day | unix", "1772409600"),
        ("created | fromISO | startOf month | iso", #""2026-03-01T00:00:00Z""#),
        ("created | fromISO | minus 1h30m | date 'EEE, dd MMM yyyy HH:mm:ss'", #""Sun, 01 Mar 2026 10:00:00""#),
        (
            #"created | fromISO | date 'yyyy-MM-dd\'T\'HH:mm:ss.SSSX \'o\'\'clock\' h a EEEE MMMM D yy'"#,
            #""2026-03-01T11:30:00.250Z o'clock 11 AM Sunday March 60 26""#
        ),
        ("price | fromUnix | iso", #""1970-01-01T00:00:09Z""#),
        ("five | minus 6 | fromUnix | iso", #""1969-12-31T23:59:59Z""#),
        ("order | at '$.items[-1].n'", "2"), ("order | at '$.x'", "missing"), ("order | keys", #"["id","items"]"#),
        ("ids | last", "true"), ("lines | lines", #"["a","b"]"#),
        // What can't be.
        ("name | uper", "there is no function \"uper\" ⟦uper⟧"),
        ("name | ", "the name of a function is missing after this pipe ⟦| ⟧"),
        ("unknown | upper", "unknown is unknown ⟦unknown⟧"), ("name | default unknown", "unknown is unknown ⟦unknown⟧"),
        ("name | base64 | iso", "iso takes a time, but gets text ⟦iso⟧"),
        ("name | sha256", "sha256 gives bytes, which must be turned into text ⟦sha256⟧"),
        ("name | sha256 | upper", "upper takes text, a number or a boolean, but gets bytes ⟦upper⟧"),
        ("$now", "$now gives a time, which must be turned into text ⟦$now⟧"),
        ("$now | plus 1", "plus takes a duration such as 7d here; found 1 ⟦1⟧"),
        ("name | length | plus 1d", "plus takes a number here; found 1d ⟦1d⟧"),
        ("name | slice", "slice takes 1 argument; found 0 ⟦slice⟧"),
        ("name | upper 1", "upper takes 0 arguments; found 1 ⟦upper 1⟧"),
        ("name | plus 'x'", "the text is not a number ⟦'x'⟧"),
        ("name | plus 1x", "1x is neither a number nor a duration ⟦1x⟧"),
        ("name | default 'x", "this text is never closed ⟦'x⟧"),
        ("name | default 'x'y", "there must be a space after this text ⟦'x'y⟧"),
        (#"name | default '\n'"#, #"in a text, a backslash must be followed by ' or \ ⟦'\n'⟧"#),
        ("$now | startOf week", "startOf takes hour, day, month as UNIT; found week ⟦week⟧"),
        ("$random.dice 1", "there is no function \"$random.dice\" ⟦$random.dice⟧"),
        ("name | file 'x'", "there is no function \"file\" ⟦file⟧"),
        ("name | fromHex | hex", "problem: fromHex takes pairs of hex digits; the text has something else"),
        ("ids | upper", "problem: upper takes text, a number or a boolean; the value is a list"),
        ("name | plus 1", "problem: plus the text is not a number"),
        ("five | over 0", "problem: over can't divide by 0"),
        ("order | at '$.items[*]'", "problem: at takes a JSONPath that selects one value; this one selects several"),
        ("created | fromISO | plus 3000000d | iso", "problem: plus the time is not between the years 1 and 9999"),
        ("big | times big", "problem: times the result is too large or too small"),
    ]

    @Test("A placeholder with functions has a value, or a problem with its place", arguments: rows)
    func value(_ text: String, _ expected: String) {
        #expect(shown(text) == expected)
    }

    @Test("A JSONPath and a date format are read with the placeholder")
    func literals() {
        #expect(shown("order | at '$['").hasPrefix("\"$[\" is not a JSONPath: "))
        #expect(shown("$now | date 'YYYY'").hasPrefix("this format can't have \"YYYY\": its letters are yyyy MMMM dd"))
        #expect(shown("$now | date 'yyyy \\'T'") == #"this format has a quote that is never closed ⟦'yyyy \'T'⟧"#)
    }

    @Test("Sources are made from the time, from random bytes and from files")
    func sources() {
        let bytes = FunctionValue.bytes([1, 2, 3])
        #expect(shown("$now | iso", from: .time(1_772_368_200_750)) == #""2026-03-01T12:30:00Z""#)
        #expect(shown("file 'x' | base64", from: bytes) == #""AQID""#)
        #expect(shown("file", ["file": "f"]) == "no functions")
        #expect(shown("file | upper", ["file": "f"]) == #""F""#)
        #expect(shown("$random.int 6 1", from: bytes) == "problem: $random.int takes a FROM that is not more than TO")
        let drawn = Set((0..<200).map { shown("$random.int 1 6", from: .bytes([$0])) })
        #expect(drawn == ["1", "2", "3", "4", "5", "6"])
        #expect(
            Set((0..<200).map { shown("$random.pick 'a' 2 name", from: .bytes([$0])) }) == [#""a""#, "2", #""Ada B""#])
        #expect(shown("$random.text 20", from: bytes).count == 22)
        #expect(shown("$random.hex 7", from: bytes).count == 9)
        #expect(shown("$random.hex 7", from: bytes) == shown("$random.hex 7", from: bytes))
    }

    @Test("Every function has a unique name, a summary, and an example that can be read")
    func table() {
        let all = Function.all.flatMap(\.functions)
        #expect(Set(all.map(\.name)).count == all.count)
        for function in all {
            #expect(!function.summary.isEmpty && !function.summary.hasSuffix("."))
            #expect(function.example.contains(function.name))
            let text = String(function.example.dropFirst(2).dropLast(2))
            #expect(throws: Never.self, "\(text)") { try Pipeline.read(text) { _ in .json } }
        }
    }

    @Test("A damaged placeholder has a value or a problem with a place in it, and never crashes")
    func damaged() {
        var random = SeededGenerator(seed: 7)
        let seeds =
            Self.rows.map(\.0) + Function.all.flatMap(\.functions).map { String($0.example.dropFirst(2).dropLast(2)) }
        let parts = [
            "'", "\\", " ", "|", " | ", "}}", "{{", "\t", "é", "-", "9", "99999999999999999999", "1e9999", "$now",
            "file ", "$random.int 1 ", "d", "\u{0}",
        ]
        for _ in 0..<(RandomInputs.areMany ? 1_000_000 : 10_000) {
            var bytes = Array((seeds.randomElement(using: &random) ?? "").utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0...bytes.count, using: &random)
                if Bool.random(using: &random), place < bytes.count {
                    bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...4, using: &random)))
                } else {
                    bytes.insert(contentsOf: (parts.randomElement(using: &random) ?? "").utf8, at: place)
                }
            }
            let text = String(decoding: bytes, as: UTF8.self)
            let result = shown(text, from: text.contains("$now") ? .time(1_772_368_200_750) : .bytes([1]))
            #expect(!result.isEmpty, "\(text)")
        }
    }

    @Test("A result larger than 16 MiB is a problem, and a megabyte is none")
    func sizes() {
        let megabyte = OrderedJSON.string(String(repeating: "a", count: 1 << 20))
        #expect(
            shown("text | replace 'a' 'bbbbbbbbbbbbbbbbbbbb'", ["text": megabyte])
                == "problem: replace gives more than 16 MiB")
        #expect(
            shown("text | sha256 | hex", ["text": megabyte])
                == #""9bc1b2a288b26af7257a36277ae3816a7d4f16e89c1e7e77d0a5c48bad62b360""#)
        #expect(
            shown("text | upper | lower | base64 | fromBase64 | utf8 | split 'a' | length", ["text": megabyte])
                == "1048577")
    }
}
