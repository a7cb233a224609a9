import Foundation
import ReqcliText
import TestSupport
import Testing
import ToolSupport

/// Compares functions with Python's standard library, on random values.
@Suite("Functions, compared with Python")
struct PythonComparisonTests {
    @Test(
        "Functions give what Python's standard library gives",
        .enabled(if: Tool.path(of: "python3") != nil, "there is no python3"))
    func comparison() async throws {
        var random = SeededGenerator(seed: 28)
        let cases = Self.functions.flatMap { name in
            (0..<RandomInputs.count(200)).map { _ in Self.sample(of: name, &random) }
        }
        let lines = cases.map { OrderedJSON.array([.string($0.name), $0.value, .array($0.arguments)]).compact }
        let folder = try TemporaryFolder(["cases": lines.joined(separator: "\n"), "functions.py": Self.program])
        let run = try await Tool.run(
            folder.path("functions.py"), folder.path("cases"), program: [Tool.path(of: "python3") ?? ""],
            within: .seconds(300))
        try #require(run.status == 0, "\(run)")
        let expected = run.outputText.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        try #require(expected.count >= cases.count)
        for (one, expected) in zip(cases, expected) {
            let value = shown("value | \(one.text)", ["value": one.value])
            if value != expected { Issue.record("\(one.value.compact) | \(one.text): \(value), Python: \(expected)") }
        }
    }

    private struct Sample {
        let name: String
        let value: OrderedJSON
        var arguments: [OrderedJSON] = []
        /// The functions as they are written.
        var text: String
    }

    private static let functions = [
        "upper", "lower", "trim", "replace", "slice", "split", "join", "pad", "length", "base64", "base64url",
        "fromBase64",
        "hex", "fromHex", "url", "form", "fromURL", "json", "fromJSON", "md5", "sha1", "sha256", "sha384", "sha512",
        "hmacSHA1", "hmacSHA256", "hmacSHA512", "plus", "minus", "times", "over", "round", "iso", "startOf", "date",
        "fromISO", "plusTime",
    ]

    private static func sample(of name: String, _ random: inout SeededGenerator) -> Sample {
        func text(_ most: Int = 12) -> OrderedJSON {
            let letters = Array("aZ09 éÄß€😀\u{301}\t\n'\\|{}%+-/~.\"")
            return .string(
                String(
                    (0..<Int.random(in: 0...most, using: &random)).map { _ in
                        letters.randomElement(using: &random) ?? "a"
                    }))
        }
        func number() -> OrderedJSON {
            let digits = (0..<Int.random(in: 1...28, using: &random)).map { _ in
                String(Int.random(in: 0...9, using: &random))
            }.joined()
            let whole = digits.prefix(Int.random(in: 1...digits.count, using: &random))
            let fraction = digits.dropFirst(whole.count)
            let plain = whole.drop { $0 == "0" }
            return .number(
                (Bool.random(using: &random) ? "-" : "") + (plain.isEmpty ? "0" : plain)
                    + (fraction.isEmpty ? "" : ".\(fraction)"))
        }
        func written(_ argument: OrderedJSON) -> String {
            guard case .string(let text) = argument else { return argument.compact }
            return "'" + text.replacing(#"\"#, with: #"\\"#).replacing("'", with: #"\'"#) + "'"
        }
        func call(_ value: OrderedJSON, _ arguments: [OrderedJSON] = [], then: String = "", before: String = "")
            -> Sample
        {
            let words = ([name == "plusTime" ? "plus" : name] + arguments.map(written)).joined(separator: " ")
            return Sample(name: name, value: value, arguments: arguments, text: before + words + then)
        }
        func whole(_ range: ClosedRange<Int>) -> OrderedJSON { .int(Int.random(in: range, using: &random)) }
        switch name {
        case "replace":
            let part = OrderedJSON.string(["a", " ", "é", "Z0", "'"].randomElement(using: &random) ?? "a")
            return call(text(), [part, text(3)])
        case "split": return call(text(), [.string(["a", " ", "é", "\\"].randomElement(using: &random) ?? "a")])
        case "join": return call(.array((0..<3).map { _ in text(4) }), [text(2)])
        case "slice": return call(text(), [whole(-14...14), whole(-14...14)])
        case "pad": return call(text(), [whole(-20...20), "x"])
        case "fromBase64", "fromHex":
            let bytes = Data(
                (0..<Int.random(in: 0...9, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
            let hex = bytes.map { String(format: "%02x", $0) }.joined()
            return call(.string(name == "fromHex" ? hex : bytes.base64EncodedString()), then: " | hex")
        case "fromURL": return call(text(), before: "url | ")
        case "json": return call(.array([text(), number(), true, .object(["a": text()])]))
        case "fromJSON": return call(.string(OrderedJSON.array([text(), .null]).compact))
        case "md5", "sha1", "sha256", "sha384", "sha512": return call(text(200), then: " | hex")
        case "hmacSHA1", "hmacSHA256", "hmacSHA512": return call(text(200), [text(200)], then: " | hex")
        case "plus", "minus", "times", "over":
            let other = number()
            return call(number(), [name == "over" && Double(other.plainText) == 0 ? 3 : other])
        case "round": return call(number(), [whole(0...12)])
        case "iso": return call(whole(-60_000_000_000...250_000_000_000), before: "fromUnix | ")
        case "startOf":
            let unit = ["hour", "day", "month"].randomElement(using: &random) ?? "day"
            var sample = call(whole(-60_000_000_000...250_000_000_000), [.string(unit)])
            sample.text = "fromUnix | startOf \(unit) | iso"
            return sample
        case "date":
            return call(
                whole(-60_000_000_000...250_000_000_000), ["EEE EEEE, dd MMM MMMM yyyy HH:mm:ss yy MM D hh a"],
                before: "fromUnix | ")
        case "fromISO":
            var sample = call(whole(-60_000_000_000...250_000_000_000))
            sample.text = "fromUnix | iso | fromISO | unix"
            return sample
        case "plusTime":
            let (days, seconds) = (Int.random(in: 0...9999, using: &random), Int.random(in: 0...9999, using: &random))
            var sample = call(whole(0...90_000_000_000), [.int(days), .int(seconds)])
            sample.text = "fromUnix | plus \(days)d\(seconds)s | minus 1h | iso"
            return sample
        default: return call(text(40))
        }
    }

    /// Prints the result of each case, as JSON.
    private static let program = #"""
        import base64, datetime, decimal, hashlib, hmac, json, sys, urllib.parse
        decimal.getcontext().prec = 28
        EPOCH = datetime.datetime(1970, 1, 1)
        def time(v, **more): return EPOCH + datetime.timedelta(seconds=int(v), **more)
        def iso(t): return t.isoformat(timespec="seconds").rjust(19, "0") + "Z"
        def plain(d):
            text = format(d, "f")
            if "." in text: text = text.rstrip("0").rstrip(".")
            return decimal.Decimal(0) if text in ("-0", "0") else d
        class Number(str): pass
        def number(d): return Number(d)
        def start(t, unit):
            t = t.replace(minute=0, second=0)
            return t if unit == "hour" else t.replace(hour=0) if unit == "day" else t.replace(hour=0, day=1)
        def date(t):
            year = f"{t.year:04}"
            return t.strftime("%a %A, %d %b %B ") + year + t.strftime(" %H:%M:%S ") + year[2:] + t.strftime(" %m ") \
                + str(t.timetuple().tm_yday) + t.strftime(" %I %p")
        utf8 = lambda v: v.encode()
        F = {
            "upper": lambda v: v.upper(), "lower": lambda v: v.lower(), "trim": lambda v: v.strip(),
            "replace": lambda v, a, b: v.replace(a, b), "slice": lambda v, a, b: v[a:b], "split": lambda v, s: v.split(s),
            "join": lambda v, s: s.join(v), "pad": lambda v, n, c: v.rjust(n, c) if n >= 0 else v.ljust(-n, c),
            "length": lambda v: len(v), "base64": lambda v: base64.b64encode(utf8(v)).decode(),
            "base64url": lambda v: base64.urlsafe_b64encode(utf8(v)).decode().rstrip("="),
            "fromBase64": lambda v: base64.b64decode(v).hex(), "hex": lambda v: utf8(v).hex(),
            "fromHex": lambda v: bytes.fromhex(v).hex(), "url": lambda v: urllib.parse.quote(v, safe=""),
            "form": lambda v: urllib.parse.quote_plus(v), "fromURL": lambda v: v,
            "fromJSON": lambda v: json.loads(v),
            "iso": lambda v: iso(time(v)), "startOf": lambda v, u: iso(start(time(v), u)), "date": lambda v, f: date(time(v)),
            "fromISO": lambda v: int(v), "plusTime": lambda v, d, s: iso(time(v, days=d, hours=-1) + datetime.timedelta(seconds=s)),
        }
        for name in ("md5", "sha1", "sha256", "sha384", "sha512"):
            F[name] = lambda v, name=name: hashlib.new(name, utf8(v)).hexdigest()
        for name in ("SHA1", "SHA256", "SHA512"):
            F["hmac" + name] = lambda v, k, name=name: hmac.new(utf8(k), utf8(v), name.lower()).hexdigest()
        D = {
            "plus": lambda a, b: a + b, "minus": lambda a, b: a - b, "times": lambda a, b: a * b, "over": lambda a, b: a / b,
        }
        def text_of(d):
            # The rule of the files: no power of ten unless there would be many zeros.
            sign, digits, exponent = d.as_tuple()
            digits = "".join(map(str, digits)).lstrip("0")
            while digits.endswith("0"): digits, exponent = digits[:-1], exponent + 1
            if not digits: return "0"
            sign = "-" if sign else ""
            if exponent <= 12 and exponent + len(digits) > -12:
                if exponent >= 0: return sign + digits + "0" * exponent
                digits = digits.rjust(1 - exponent, "0")
                return sign + digits[:exponent] + "." + digits[exponent:]
            rest = "." + digits[1:] if len(digits) > 1 else ""
            return f"{sign}{digits[0]}{rest}e{exponent + len(digits) - 1}"
        for line in open(sys.argv[1], encoding="utf-8"):
            name, value, arguments = json.loads(line, parse_float=decimal.Decimal)
            if name in D:
                print(text_of(D[name](decimal.Decimal(value), decimal.Decimal(arguments[0]))))
            elif name == "round":
                with decimal.localcontext() as context:
                    context.prec = 60
                    result = decimal.Decimal(value).quantize(decimal.Decimal(1).scaleb(-arguments[0]), decimal.ROUND_HALF_UP)
                print(format(abs(result) if result == 0 else result, "f"))
            elif name == "json":
                # The number keeps its digits.
                marked = line[line.index(",") + 1:].strip()
                print(json.dumps(marked[:marked.rindex(",")], ensure_ascii=False))
            else:
                print(json.dumps(F[name](value, *arguments), ensure_ascii=False, separators=(",", ":")))
        """#
}
