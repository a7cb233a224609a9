import Foundation
import HTTPWire
import ReqcliServing

/// What a client gets for bytes, in each way in which a network may deliver them.
enum Delivery {
    /// What the reader of requests makes of the parts, in the words of `brief`, for a server that says each request again.
    static func reading(_ parts: [ArraySlice<UInt8>]) -> String {
        let reader = RequestReader()
        var words: [String] = []
        do throws(WireProblem) {
            for part in parts {
                part.withUnsafeBytes { reader.append($0) }
                while let event = try reader.next() {
                    guard case .request(let head, let body) = event else { continue }
                    words.append("200 \(head.method) \(head.target.path) \(String(decoding: body, as: UTF8.self))")
                    if !head.keepsConnection { return (words + ["closed"]).joined(separator: ", ") }
                }
            }
            words.append(reader.isEmpty ? "open" : "more")
        } catch {
            words += ["\(error.status)", "closed"]
        }
        return words.joined(separator: ", ")
    }

    /// The deliveries whose outcome isn't the one of the whole, and that outcome. All of them are tried.
    static func differences(in bytes: [UInt8], cuts: Range<Int>) -> (whole: String, others: [String]) {
        let whole = reading([bytes[...]])
        var others: [String] = []
        let slow = reading(bytes.indices.map { bytes[$0...$0] })
        if slow != whole { others.append("byte by byte: \(slow)") }
        for cut in cuts {
            let outcome = reading([bytes[..<cut], bytes[cut...]])
            if outcome != whole { others.append("cut at \(cut): \(outcome)") }
        }
        return (whole, others)
    }
}

extension TestServer {
    /// What a client gets for the parts, each of which the server has read before the next one is sent.
    func outcome(_ parts: [ArraySlice<UInt8>]) throws -> String {
        let client = try connect()
        for (number, part) in parts.enumerated() {
            client.send(part)
            if number < parts.count - 1 { settle() }
        }
        return brief(client.receive())
    }

    /// Waits until the loop has handled everything that was there.
    func settle() {
        // A connection is taken in one turn and read in the next, and work may come before either of them.
        for _ in 0..<4 {
            let isDone = DispatchSemaphore(value: 0)
            loop.run { isDone.signal() }
            isDone.wait()
        }
    }
}
