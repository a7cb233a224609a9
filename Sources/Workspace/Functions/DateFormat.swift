import RequestBuilding

/// A date format: the part of Unicode TR35 that needs no locale, in English and UTC. Foundation's formatter would load ICU's data.
struct DateFormat {
    private enum Part {
        case literal(String)
        case field(Character, count: Int)
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    private static let weekdays = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"]
    /// The greatest number of repetitions of each letter.
    private static let fields: KeyValuePairs<Character, Int> = [
        "y": 4, "M": 4, "d": 2, "D": 3, "E": 4, "H": 2, "h": 2, "m": 2, "s": 2, "S": 9, "a": 1, "X": 3, "Z": 3, "z": 1,
    ]

    private let parts: [Part]

    init(_ text: String) throws(FunctionProblem) {
        var parts: [Part] = []
        var rest = Substring(text)
        while let letter = rest.first {
            let count = rest.prefix { $0 == letter }.count
            if letter == "'" {
                // Two quotes are a quote, also between other quotes.
                var quoted = ""
                rest.removeFirst()
                if rest.first == "'" {
                    quoted = "'"
                    rest.removeFirst()
                } else {
                    while true {
                        guard let next = rest.popFirst() else {
                            throw FunctionProblem("this format has a quote that is never closed")
                        }
                        if next == "'" {
                            if rest.first != "'" { break }
                            rest.removeFirst()
                        }
                        quoted.append(next)
                    }
                }
                parts.append(.literal(quoted))
            } else if letter.isASCII, letter.isLetter {
                guard let most = Self.fields.first(where: { $0.key == letter })?.value, count <= most else {
                    throw FunctionProblem(
                        "this format can't have \"\(String(repeating: letter, count: min(count, 10)))\": its letters are "
                            + Self.fields.map { String(repeating: $0.key, count: $0.value) }.joined(separator: " ")
                            + "; other letters go between quotes")
                }
                parts.append(.field(letter, count: count))
                rest.removeFirst(count)
            } else {
                parts.append(.literal(String(repeating: letter, count: count)))
                rest.removeFirst(count)
            }
        }
        self.parts = parts
    }

    func text(of time: CalendarTime) -> String {
        parts.map { part in
            switch part {
            case .literal(let text): text
            case .field(let letter, let count): Self.text(of: letter, count, time)
            }
        }.joined()
    }

    private static func text(of letter: Character, _ count: Int, _ time: CalendarTime) -> String {
        let date = time.date
        let millisecond = time.milliseconds - time.day * 86_400_000
        let (hour, minute) = (millisecond / 3_600_000, millisecond / 60_000 % 60)
        func padded(_ value: Int) -> String { Timestamp.padded(value, count) }
        switch letter {
        case "y": return count == 2 ? padded(date.year % 100) : padded(date.year)
        case "M":
            let name = months[date.month - 1]
            return count < 3 ? padded(date.month) : count == 3 ? String(name.prefix(3)) : name
        case "d": return padded(date.day)
        case "D": return padded(time.day - CalendarDate(year: date.year, month: 1, day: 1).daysSince1970 + 1)
        case "E":
            let name = weekdays[((time.day % 7) + 7) % 7]
            return count < 4 ? String(name.prefix(3)) : name
        case "H": return padded(hour)
        case "h": return padded(hour % 12 == 0 ? 12 : hour % 12)
        case "m": return padded(minute)
        case "s": return padded(millisecond / 1000 % 60)
        case "S": return String((Timestamp.padded(millisecond % 1000, 3) + "000000").prefix(count))
        case "a": return hour < 12 ? "AM" : "PM"
        case "X": return "Z"
        case "Z": return "+0000"
        default: return "UTC"
        }
    }
}
