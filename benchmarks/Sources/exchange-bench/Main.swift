import Exchange
import Foundation
import FoundationNetworking
import RequestBuilding

/// `exchange-bench requests URL COUNT IN-FLIGHT` or `exchange-bench download URL` or `exchange-bench save URL FILE` or `exchange-bench upload URL FILE`:
/// one line with what it took.
@main struct Main {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 2, let url = URL(string: arguments[2]) else {
            print("usage: exchange-bench requests URL COUNT IN-FLIGHT | download URL | save URL FILE | upload URL FILE")
            exit(2)
        }
        FoundationFolders.prevent()
        let start = ContinuousClock.now
        switch arguments[1] {
        case "requests":
            let count = arguments.count > 3 ? Int(arguments[3]) ?? 1 : 1
            let failures = try await requests(url, count: count, inFlight: Int(arguments.last ?? "") ?? 16)
            report("\(count) requests, \(failures) failed", since: start, per: Double(count), unit: "requests/s")
        case "download":
            let bytes = try await download(url, to: "/dev/null")
            report("\(bytes) bytes", since: start, per: Double(bytes) / 1_048_576, unit: "MiB/s")
        case "save":
            let bytes = try await download(url, to: arguments[3])
            report("\(bytes) bytes", since: start, per: Double(bytes) / 1_048_576, unit: "MiB/s")
        case "upload":
            var request = URLRequest(url: url)
            request.timeoutInterval = 600
            request.httpMethod = "PUT"
            request.bodySource = .file(path: arguments[3])
            let response = try await URLSessionTransport().send(request)
            let status = response.status
            _ = try await response.body.data()
            report("upload, status \(status)", since: start, per: 1024, unit: "MiB/s for 1 GiB")
        default: exit(2)
        }
        fflush(nil)
        _exit(0)
    }

    static func requests(_ url: URL, count: Int, inFlight: Int) async throws -> Int {
        let transport = URLSessionTransport()
        return await withTaskGroup(of: Int.self) { group in
            for _ in 0..<inFlight {
                group.addTask {
                    var failures = 0
                    for _ in 0..<(count / inFlight) {
                        do {
                            let response = try await transport.send(URLRequest(url: url))
                            _ = try await response.body.data()
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

    static func download(_ url: URL, to path: String) async throws -> Int {
        let sink = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        var bytes = 0
        for try await chunk in try await URLSessionTransport().send(URLRequest(url: url)).body {
            bytes += chunk.withUnsafeBytes { write(sink, $0.baseAddress, $0.count) }
        }
        return bytes
    }

    static func report(_ what: String, since start: ContinuousClock.Instant, per count: Double, unit: String) {
        let seconds = Double((ContinuousClock.now - start) / .milliseconds(1)) / 1000
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let rate = Int(count / max(seconds, 0.001))
        print("\(what): \(seconds) s, \(rate) \(unit), peak \(usage.ru_maxrss / 1024) MiB")
    }
}
