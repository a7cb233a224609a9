/// A response such as APIs give: many records of text, numbers, nested objects and lists.
enum GeneratedDocument {
    static func bytes(megabytes: Int) -> [UInt8] {
        let size = megabytes * 1_000_000
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size + 1_000)
        bytes += Array(#"{"total":1,"items":["#.utf8)
        var number = 0
        while bytes.count < size {
            if number > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += record(number).utf8
            number += 1
        }
        return bytes + Array("]}".utf8)
    }

    private static func record(_ number: Int) -> String {
        """
        {"id":\(number),"name":"Person number \(number)","mail":"person\(number)@example.com","active":\(number % 3 == 0),\
        "score":\(number % 1_000).\(number % 89),"tags":["one","zwei","três","\\u0034"],"address":{"street":"Main Street \
        \(number % 200)","city":"San Francisco","zip":"\(10_000 + number % 80_000)","geo":[-122.4194,37.7749]},\
        "note":"A line with a \\"quote\\" and a break\\nin it, long enough to be skimmed over quickly.","parent":null}
        """
    }
}
