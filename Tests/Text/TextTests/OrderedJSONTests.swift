import ReqcliText
import Testing

struct OrderedJSONTests {
    static let sample: OrderedJSON = .object([
        "zebra": .int(1), "apple": ["x", true, .null, .number("1.50e+3")], "absent": nil, "empty": .object([]),
        "none": .array([]), "q\"k": "a\nb", "nested": .object(["b": 2, "a": [[1]]]),
    ])

    @Test("Compact JSON has nothing between the tokens, and members in the order given")
    func compact() {
        #expect(
            Self.sample.compact
                == #"{"zebra":1,"apple":["x",true,null,1.50e+3],"empty":{},"none":[],"q\"k":"a\nb","nested":{"b":2,"a":[[1]]}}"#
        )
    }

    @Test("Pretty JSON has two spaces a level and nothing inside empty containers")
    func pretty() {
        #expect(
            Self.sample.pretty == """
                {
                  "zebra": 1,
                  "apple": [
                    "x",
                    true,
                    null,
                    1.50e+3
                  ],
                  "empty": {},
                  "none": [],
                  "q\\"k": "a\\nb",
                  "nested": {
                    "b": 2,
                    "a": [
                      [
                        1
                      ]
                    ]
                  }
                }
                """)
    }

    @Test("Scalars stand alone in both forms")
    func scalars() {
        let values: [(OrderedJSON, String)] = [
            (.null, "null"), (false, "false"), ("x", "\"x\""), (7, "7"), (.number("1e2"), "1e2"),
        ]
        for (value, text) in values {
            #expect(value.compact == text)
            #expect(value.pretty == text)
        }
    }

    @Test("What was read is written with the same order, duplicates and numbers")
    func roundTrip() {
        let text = #"{"b":[1.0,-0,1E400],"a":{"x":null,"x":"\u00e9\n"},"":[{},[]]}"#
        #expect(read(text).understood == #"{"b":[1.0,-0,1E400],"a":{"x":null,"x":"é\n"},"":[{},[]]}"#)
        #expect(read(Self.sample.pretty).understood == Self.sample.compact)
    }
}
