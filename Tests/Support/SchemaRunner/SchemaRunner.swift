import Foundation
import ReqcliJSONSchema
import ReqcliText

/// Reads lines of the form `{"schema": …, "instance": …}`, and prints two results for each line: whether the instance fits
/// (`true`, `false`, or `error` for a schema with mistakes), and the seconds that this took.
@main
enum SchemaRunner {
    static func main() {
        let clock = ContinuousClock()
        while let line = readLine() {
            let pair = JSONDocument.read(SourceFile(name: "pair", text: line)).root
            var verdict = "error"
            var duration = Duration.zero
            var compiler = SchemaCompiler(formats: .assert)
            if let instance = pair?["instance"], let schema = pair?["schema"].flatMap({ compiler.compile($0).schema }) {
                duration = clock.measure { verdict = String(schema.accepts(instance)) }
            }
            print(verdict, duration / .seconds(1))
            // The program that reads this output waits for this line.
            fflush(nil)
        }
    }
}
