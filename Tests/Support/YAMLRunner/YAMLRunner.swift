import Foundation
import ReqcliText

/// Reads lines with the paths of YAML files, and prints a line for each: the value as JSON after `=`, or the first problem after
/// `!`. With `--time`, prints the seconds that reading one file takes.
@main
enum YAMLRunner {
    static func main() {
        let arguments = CommandLine.arguments
        if arguments.count == 3, arguments[1] == "--time" { return time(arguments[2]) }
        while let path = readLine() {
            let document = YAMLDocument.read(file(path))
            if let problem = document.diagnostics.first {
                print("!\(problem.place?.start.line ?? 0):\(problem.place?.start.column ?? 0): \(problem.message)")
            } else {
                print("=\(document.root.map { OrderedJSON($0).compact } ?? "")")
            }
            // The program that reads this output waits for this line.
            fflush(nil)
        }
    }

    private static func file(_ path: String) -> SourceFile {
        SourceFile(name: "file", bytes: [UInt8](FileManager.default.contents(atPath: path) ?? Data()))
    }

    private static func time(_ path: String) {
        let source = file(path)
        var values = 0
        let reading = ContinuousClock().measure {
            let document = YAMLDocument.read(source)
            for diagnostic in document.diagnostics { print(diagnostic.message) }
            values = document.root?.count ?? 0
        }
        print(reading / .seconds(1), values)
    }
}
