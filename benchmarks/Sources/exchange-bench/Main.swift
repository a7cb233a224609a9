import Exchange
import Foundation
import FoundationNetworking
import RequestBuilding

/// `exchange-bench requests URL COUNT IN-FLIGHT`: sends so many requests through one client, so many at a time. It tells
/// nothing; whoever starts it sees how long it took.
@main struct Main {
    static func main() async {
        let words = CommandLine.arguments.dropFirst()
        guard words.count == 4, words.first == "requests", let url = URL(string: words[2]),
            let count = Int(words[3]), let inFlight = Int(words[4]), inFlight > 0
        else {
            tell("usage: exchange-bench requests URL COUNT IN-FLIGHT")
            exit(2)
        }
        let failures = await failures(of: PreparedRequest(url: url), count: count, inFlight: inFlight)
        if failures > 0 { tell("\(failures) of \(count) requests failed") }
        // Not through Foundation's teardown.
        _exit(failures == 0 ? 0 : 1)
    }

    private static func tell(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }

    private static func failures(of request: PreparedRequest, count: Int, inFlight: Int) async -> Int {
        let transport = URLSessionTransport()
        return await withTaskGroup(of: Int.self) { group in
            for worker in 0..<inFlight {
                group.addTask {
                    var failures = 0
                    for _ in stride(from: worker, to: count, by: inFlight) {
                        do {
                            let response = try await transport.send(request)
                            _ = try await response.body.data()
                            if response.status != 200 { failures += 1 }
                        } catch {
                            failures += 1
                        }
                    }
                    return failures
                }
            }
            return await group.reduce(0, +)
        }
    }
}
