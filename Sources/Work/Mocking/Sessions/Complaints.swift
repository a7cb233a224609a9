import ReqcliDefinitions
package import ReqcliText

/// The number of problems of requests, with a line for each of the first problems.
package struct Complaints: Sendable {
    /// One line, and the place in a file that it is about.
    package struct Line: Sendable {
        package let text: String
        package let place: Place?

        package var description: String { place.map { "\(text)   \($0.description)" } ?? text }
    }

    private static let limit = 20

    package private(set) var lines: [Line] = []
    package private(set) var count = 0

    mutating func add(_ answer: MockAnswer) {
        if !answer.problems.isEmpty {
            add {
                let problems = answer.problems.map { answer.mask.text($0.message) }.joined(separator: "; ")
                return Line(text: "\(answer.summary): \(problems)", place: answer.problems.first?.place)
            }
        } else if case .refusal(let refusal) = answer.content {
            add(answer, refusal.title)
        } else if case .passedOn = answer.content, answer.endpoint == nil {
            add(answer, "no endpoint")
        }
    }

    mutating func add(_ answer: MockAnswer, _ reason: Wording) {
        add {
            Line(
                text: "\(answer.summary): \(answer.mask.text(reason))",
                place: answer.endpoint?.definition.place)
        }
    }

    /// Counts a problem, and keeps its line if there is room.
    ///
    /// - Parameter line: Makes the line. Not called if there is no room.
    private mutating func add(_ line: () -> Line) {
        count += 1
        if lines.count < Self.limit { lines.append(line()) }
    }

    mutating func add(_ other: Complaints) {
        count += other.count
        lines += other.lines.prefix(max(0, Self.limit - lines.count))
    }

    /// All lines, followed by the number of further problems if there are any.
    package var all: [Line] {
        count > lines.count ? lines + [Line(text: "\(count - lines.count) more", place: nil)] : lines
    }
}

extension MockAnswer {
    /// The method and the path.
    fileprivate var summary: String { "\(request.method) \(mask.path(of: request))" }
}
