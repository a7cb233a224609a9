import ReqcliText
import Testing

/// Numbers are compared by value, exactly, and their text is kept.
struct JSONNumberTests {
    private func number(_ text: String) throws -> JSONNumber {
        try #require(JSONNumber(text), "\(text) is a number")
    }

    static let equal = [
        ("1", "1.0"), ("1", "1.000"), ("100", "1e2"), ("100", "1E+2"), ("100", "10.0e1"), ("0.01", "1e-2"), ("0", "-0"),
        ("0", "0.000"), ("0", "0e99999999999999999999"), ("-0", "-0.0e-5"), ("1.5", "15e-1"), ("-2.50", "-25e-1"),
        ("123456789012345678901234567890", "123456789012345678901234567890.0"),
        ("123456789012345678901234567890", "1.2345678901234567890123456789e29"), ("1e400", "10e399"),
        ("1e1000000000000", "0.1e1000000000001"), ("1e-1000000000000", "10e-1000000000001"), ("1e007", "1e7"),
        ("1e0", "1"),
    ]

    @Test("Numbers of one value are equal, however they are written", arguments: equal)
    func equality(_ one: String, _ other: String) throws {
        let (left, right) = (try number(one), try number(other))
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
        #expect(!(left < right) && !(right < left))
        #expect((left.text, right.text) == (one, other))
    }

    static let ascending = [
        [
            "-1e1000000", "-1e400", "-100000000000000000001", "-100000000000000000000", "-10", "-9.99", "-1", "-1e-400",
            "0",
        ],
        ["0", "1e-1000000000000", "1e-400", "1e-399", "0.1", "0.10000000000000000000000001", "0.11", "0.9", "1"],
        [
            "1", "1.5", "2", "9", "10", "12", "120", "123", "9007199254740992", "9007199254740993", "1e20",
            "1e1000000000000",
        ],
        ["0.1", "0.2", "0.30000000000000000", "0.30000000000000004"],
        ["18446744073709551615", "18446744073709551616"],
    ]

    @Test("Numbers are ordered by value, digits that a Double would drop included", arguments: ascending)
    func order(_ texts: [String]) throws {
        let numbers = try texts.map { try number($0) }
        for (index, lower) in numbers.enumerated() {
            for higher in numbers[(index + 1)...] {
                #expect(lower < higher, "\(lower.text) < \(higher.text)")
                #expect(!(higher < lower), "\(higher.text) < \(lower.text)")
                #expect(lower != higher, "\(lower.text) != \(higher.text)")
            }
        }
    }

    @Test("Exponents beyond any integer are taken and kept apart from ordinary ones")
    func hugeExponents() throws {
        let huge = try number("1e99999999999999999999999999")
        let tiny = try number("1e-99999999999999999999999999")
        #expect(try number("1e300000000000000") < huge)
        #expect(try number("1e300000000000000") != number("1e300000000000001"))
        #expect(try tiny < number("1e-300000000000000"))
        #expect(tiny > JSONNumber(0))
        #expect(try number("-1e99999999999999999999999999") < number("-1e300"))
        #expect(huge.double == .infinity)
        #expect(tiny.double == 0)
        #expect(huge.int == nil)
        #expect(tiny.int == nil)
    }

    @Test(
        "A whole number is one however it is written",
        arguments: ["42", "42.0", "4.2e1", "420e-1", "-42", "0", "-0.0", "1e30"])
    func whole(_ text: String) throws {
        #expect(try number(text).isInteger)
    }

    @Test("A number with a fraction is not whole", arguments: ["0.5", "4.25e1", "-1e-1", "1e-400"])
    func fraction(_ text: String) throws {
        #expect(try !number(text).isInteger)
        #expect(try number(text).int == nil)
    }

    static let integers: [(String, Int?)] = [
        ("42", 42), ("4.20e1", 42), ("-0", 0), ("-7.0", -7), ("9223372036854775807", .max),
        ("-9223372036854775808", .min),
        ("9223372036854775808", nil), ("-9223372036854775809", nil), ("1e18", 1_000_000_000_000_000_000), ("1e19", nil),
        ("1e400", nil), ("1.5", nil),
    ]

    @Test("The integer is there where it fits", arguments: integers)
    func int(_ text: String, _ value: Int?) throws {
        #expect(try number(text).int == value)
    }

    @Test("A number made of an integer is the one with its text", arguments: [0, 1, -1, 10, 1200, Int.max, Int.min])
    func fromInt(_ value: Int) throws {
        #expect(JSONNumber(value) == (try number(String(value))))
        #expect(JSONNumber(value).text == String(value))
        #expect(JSONNumber(value).int == value)
    }

    @Test(
        "The nearest Double",
        arguments: [("0.1", 0.1), ("-1.5e3", -1500), ("1e400", .infinity), ("-0", 0), ("1e-400", 0)])
    func double(_ text: String, _ value: Double) throws {
        #expect(try number(text).double == value)
    }

    @Test(
        "What is no JSON number makes none",
        arguments: [
            "", "-", "+1", "01", "-01", "1.", ".5", "1e", "1e+", "1.e1", "0x1", "NaN", "Infinity", " 1", "1 ", "1,0",
            "１",
        ])
    func refused(_ text: String) {
        #expect(JSONNumber(text) == nil)
    }
}
