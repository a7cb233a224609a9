import ReqcliText
import RequestBuilding

extension Function {
    private static let numeric: ValueTypes = [.number, .text]
    private static let amount = [Parameter("AMOUNT", .amount)]

    static let numbers: [Function] = [
        Function(
            "plus", with: amount, [numeric, .time], .same, "The sum; a time takes a duration such as 7d",
            "{{price | plus 1.5}}"
        ) { value, arguments throws(FunctionProblem) in
            try sum(value, arguments[0], sign: 1)
        },
        Function(
            "minus", with: amount, [numeric, .time], .same, "The difference; a time takes a duration",
            "{{$now | minus 90m | iso}}"
        ) { value, arguments throws(FunctionProblem) in
            try sum(value, arguments[0], sign: -1)
        },
        Function(
            "times", with: [Parameter("FACTOR", .number)], numeric, .number, "The product", "{{price | times 1.19}}"
        ) {
            value, arguments throws(FunctionProblem) in
            try number(try value.decimal() * arguments[0].decimal())
        },
        Function(
            "over", with: [Parameter("DIVISOR", .number)], numeric, .number, "The quotient",
            "{{total | over 3 | round 2}}"
        ) { value, arguments throws(FunctionProblem) in
            guard let divisor = try arguments[0].decimal().nonzero else { throw FunctionProblem("can't divide by 0") }
            return try number(try value.decimal() / divisor)
        },
        Function(
            "round", with: [Parameter("N", .number, isOptional: true)], numeric, .number,
            "Exactly N decimal places (0 if N is missing); halves are rounded away from zero", "{{price | round 2}}"
        ) { value, arguments throws(FunctionProblem) in
            .number(try value.decimal().rounded(to: try arguments.first?.whole(0...28) ?? 0))
        },
        Function("text", .scalar, .text, "A number or a boolean as text", "{{number | text}}") { value, _ in
            .text(value.text)
        },
    ]

    private static func number(_ result: DecimalNumber?) throws(FunctionProblem) -> FunctionValue {
        guard let result else { throw FunctionProblem("the result is too large or too small") }
        return .number(result.text)
    }

    private static func sum(
        _ value: FunctionValue, _ amount: FunctionValue, sign: Int
    ) throws(FunctionProblem) -> FunctionValue {
        switch (value, amount) {
        case (.time(let time), .duration(let duration)): return try self.time(time + sign * duration)
        case (.time, _): throw FunctionProblem("takes a duration such as 7d after a time")
        case (_, .duration): throw FunctionProblem("takes a number after a number; durations are for times")
        default:
            let (one, other) = (try value.decimal(), try amount.decimal())
            return try number(sign < 0 ? one - other : one + other)
        }
    }

    /// A time in the years that four digits can express.
    private static func time(_ milliseconds: Int) throws(FunctionProblem) -> FunctionValue {
        guard (-62_135_596_800_000..<253_402_300_800_000).contains(milliseconds) else {
            throw FunctionProblem("the time is not between the years 1 and 9999")
        }
        return .time(milliseconds)
    }

    static let times: [Function] = [
        Function(
            "startOf", with: [Parameter("UNIT", .word(["hour", "day", "month"]))], .time, .time,
            "The start of the hour, day or month, in UTC", "{{$now | startOf day | iso}}"
        ) { value, arguments in
            let time = CalendarTime(value)
            switch arguments[0].text {
            case "hour": return .time(time.milliseconds - (time.milliseconds - time.day * 86_400_000) % 3_600_000)
            case "day": return .time(time.day * 86_400_000)
            default: return .time((time.day - time.date.day + 1) * 86_400_000)
            }
        },
        Function(
            "date", with: [Parameter("FORMAT", .format)], .time, .text,
            "The time in a format of Unicode TR35, in English and UTC",
            "{{$now | date 'EEE, dd MMM yyyy'}}"
        ) { value, arguments throws(FunctionProblem) in
            .text(try DateFormat(arguments[0].text).text(of: CalendarTime(value)))
        },
        Function("iso", .time, .text, "ISO 8601 in UTC, in whole seconds", "{{$now | plus 1h | iso}}") { value, _ in
            .text(Timestamp.iso8601(Double(CalendarTime(value).seconds)))
        },
        Function("unix", .time, .number, "Seconds since 1970", "{{$now | unix}}") { value, _ in
            .number(String(CalendarTime(value).seconds))
        },
        Function("unixMillis", .time, .number, "Milliseconds since 1970", "{{$now | unixMillis}}") { value, _ in
            .number(String(CalendarTime(value).milliseconds))
        },
        Function("fromISO", .text, .time, "The time of an RFC 3339 string", "{{created | fromISO | plus 1d | iso}}") {
            value, _ throws(FunctionProblem) in
            guard let seconds = Timestamp.seconds(rfc3339: value.text) else {
                throw FunctionProblem("takes a time such as 2026-03-01T12:30:00Z; the text is none")
            }
            return try time(Int((seconds * 1000).rounded()))
        },
        Function("fromUnix", numeric, .time, "The time at this many seconds since 1970", "{{exp | fromUnix | iso}}") {
            value, _ throws(FunctionProblem) in
            guard let milliseconds = try value.decimal() * DecimalNumber(1000) else {
                throw FunctionProblem("the number is too large")
            }
            return try time(Int(milliseconds.rounded(to: 0)) ?? .max)
        },
    ]
}

/// A time with its day.
struct CalendarTime {
    let milliseconds: Int
    /// Days since 1970.
    let day: Int

    init(_ value: FunctionValue) {
        milliseconds = if case .time(let milliseconds) = value { milliseconds } else { 0 }
        day = Self.quotient(milliseconds, 86_400_000)
    }

    var seconds: Int { Self.quotient(milliseconds, 1000) }
    var date: CalendarDate { CalendarDate(daysSince1970: day) }

    /// The quotient, rounded down.
    private static func quotient(_ value: Int, _ divisor: Int) -> Int {
        value / divisor - (value % divisor < 0 ? 1 : 0)
    }
}
