/// Dates of `-z`, in the usual ones of the many formats that curl accepts.
enum CurlDate {
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

    /// The date in the format of HTTP; nil if it isn't in a supported format, or isn't in UTC.
    static func httpDate(_ text: String) -> String? {
        var date: (year: Int?, month: Int?, day: Int?)
        var time = "00:00:00"
        for word in text.split(whereSeparator: { $0 == " " || $0 == "," || $0 == "T" && text.contains("-") }) {
            let isNumber = word.utf8.allSatisfy { $0 &- 0x30 < 10 }
            let parts = word.split(separator: "-").compactMap { Int($0) }
            if let match = word.wholeMatch(of: /(\d\d):(\d\d)(?::(\d\d))?Z?/) {
                time = "\(match.output.1):\(match.output.2):\(match.output.3 ?? "00")"
            } else if isNumber, word.utf8.count == 8, let number = Int(word) {
                date = (number / 10000, number / 100 % 100, number % 100)
            } else if isNumber, word.utf8.count == 4 {
                date.year = Int(word)
            } else if isNumber, word.utf8.count < 3 {
                date.day = Int(word)
            } else if parts.count == 3 {
                date = (parts[0], parts[1], parts[2])
            } else if let index = months.firstIndex(of: String(word.lowercased().prefix(3))) {
                date.month = index + 1
            } else if !["GMT", "UTC", "Z"].contains(word), !days.contains(where: word.hasPrefix) {
                return nil
            }
        }
        guard let year = date.year, (1900...9999).contains(year), let month = date.month, (1...12).contains(month),
            let day = date.day, (1...31).contains(day)
        else { return nil }
        let name = months[month - 1].prefix(1).uppercased() + months[month - 1].dropFirst()
        return "\(days[weekday(year, month, day)]), \(day < 10 ? "0" : "")\(day) \(name) \(year) \(time) GMT"
    }

    /// The day of the week, from 0 for Sunday.
    private static func weekday(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifts = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4]
        let year = month < 3 ? year - 1 : year
        return (year + year / 4 - year / 100 + year / 400 + shifts[month - 1] + day) % 7
    }
}
