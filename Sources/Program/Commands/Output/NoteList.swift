import CommandLineKit
import ReqcliText

/// Notes for stderr: of one kind the first three are shown, and the rest is counted.
struct NoteList {
    private let notes: [(kind: String, message: String, text: String, place: Place?)]
    private static let shownCount = 3

    init(_ notes: [(String, String, String, Place?)]) {
        self.notes = notes.map { (kind: $0, message: $1, text: $2, place: $3) }
    }

    func tell(_ context: Context) {
        var counts: [String: Int] = [:]
        for note in notes {
            counts["\(note.kind) \(note.message)", default: 0] += 1
            guard counts["\(note.kind) \(note.message)", default: 0] <= Self.shownCount else { continue }
            context.note(note.text, at: note.place)
        }
        for note in notes {
            guard let count = counts.removeValue(forKey: "\(note.kind) \(note.message)"), count > Self.shownCount
            else { continue }
            context.note("\(count - Self.shownCount) more: \(note.message)", at: nil)
        }
    }
}

extension Context {
    /// A note about a place in a file, on one line.
    func note(_ text: String, at place: Place?) {
        guard let place, !place.file.name.isEmpty else { return note(text) }
        let line =
            Styled(harmlessLine(place.description), .bold) + Styled(": ") + Styled("note:", .cyan)
            + Styled(" \(harmlessLine(text))\n")
        messages.write(line, inColour: isColoured(.error))
    }
}
