import CommandLineKit
import ReqcliDefinitions
import ReqcliText

/// Notes for stderr. The first three notes of each kind are shown, and the rest is counted.
struct NoteList {
    private let notes: [ConversionNote]
    private static let shownCount = 3

    init(_ notes: [ConversionNote]) { self.notes = notes }

    func tell(_ context: Context) {
        func subject(_ note: ConversionNote) -> String { "\(note.kind) \(note.message)" }
        var counts: [String: Int] = [:]
        for note in notes {
            counts[subject(note), default: 0] += 1
            guard counts[subject(note), default: 0] <= Self.shownCount else { continue }
            context.note(note.text, at: note.place)
        }
        for note in notes {
            guard let count = counts.removeValue(forKey: subject(note)), count > Self.shownCount else { continue }
            context.note("\(count - Self.shownCount) more: \(note.message)", at: nil)
        }
    }
}

extension Context {
    /// A note about a place in a file, on one line.
    func note(_ text: String, at place: Place?) {
        guard let place, !place.file.name.isEmpty, !outputPreferences.isQuiet else { return note(text) }
        let line =
            Styled(harmlessLine(place.description), .bold) + Styled(": ") + Styled("note:", .cyan)
            + Styled(" \(harmlessLine(text))\n")
        messages.write(line, inColour: isColoured(.error))
    }
}
