import ReqcliText

/// What a printer makes of a text that comes in pieces.
func print(
    _ pieces: [[UInt8]], _ layout: JSONPrinter.Layout = .indented, colours: JSONColours = .none
) -> (text: [UInt8], outcome: JSONPrinter.Outcome, largestWrite: Int) {
    var printer = JSONPrinter(layout: layout, colours: colours)
    var text: [UInt8] = []
    var largest = 0
    func write(_ bytes: UnsafeRawBufferPointer) {
        text += bytes
        largest = max(largest, bytes.count)
    }
    for piece in pieces { piece.withUnsafeBytes { printer.print($0, to: write) } }
    let outcome = printer.finish(to: write)
    return (text, outcome, largest)
}

func print(_ text: String, _ layout: JSONPrinter.Layout = .indented, colours: JSONColours = .none) -> String {
    String(decoding: print([Array(text.utf8)], layout, colours: colours).text, as: UTF8.self)
}
