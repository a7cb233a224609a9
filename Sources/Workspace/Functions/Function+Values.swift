import ReqcliBasics
import ReqcliJSONPath
import ReqcliText

extension Function {
    static let json: [Function] = [
        Function(
            "at", with: [Parameter("PATH", .path)], .json, .json, "The value that a JSONPath selects",
            "{{order | at '$.id'}}"
        ) { value, arguments throws(FunctionProblem) in
            guard case .json(let json) = value else { return nil }
            // The path may come from a secret, so no message quotes it.
            guard let path = try? JSONPath(arguments[0].text) else { throw FunctionProblem("takes a JSONPath") }
            guard let root = JSONDocument.writing(json, name: "value").root, let nodes = try? path.nodes(in: root)
            else {
                throw FunctionProblem("can't search this value")
            }
            guard nodes.count <= 1 else {
                throw FunctionProblem("takes a JSONPath that selects one value; this one selects several")
            }
            return nodes.first.map { .json(OrderedJSON($0)) }
        },
        Function("keys", .object, .list, "The names of the members", "{{order | keys | join ','}}") { value, _ in
            guard case .json(.object(let members)) = value else { return nil }
            return .json(.array(members.map { .string($0.name) }))
        },
        Function("first", .list, .json, "The first element", "{{ids | first}}") { value, _ in
            value.list.first.map { .json($0) }
        },
        Function("last", .list, .json, "The last element", "{{ids | last}}") { value, _ in
            value.list.last.map { .json($0) }
        },
        Function("lines", [.text, .bytes], .list, "The lines of text", "{{file 'names.txt' | lines | first}}") {
            value, _ throws(FunctionProblem) in
            guard String(validating: value.bytes, as: UTF8.self) != nil else {
                throw FunctionProblem("the bytes are not UTF-8 text")
            }
            var lines = try parts(of: value.bytes, between: [.lineFeed])
            if lines.last?.isEmpty == true { lines.removeLast() }
            return .json(
                .array(
                    lines.map { line in
                        .string(String(decoding: line.last == .carriageReturn ? line.dropLast() : line, as: UTF8.self))
                    }))
        },
    ]

    static func path(_ text: String) throws(FunctionProblem) -> JSONPath {
        do { return try JSONPath(text) } catch {
            throw FunctionProblem("\"\(text)\" is not a JSONPath: \(error.problems.first?.message ?? "")")
        }
    }

    /// Sources. A random one is made from 32 random bytes.
    static let sources: [Function] = [
        Function("$now", [], .time, "The time, which is the same in the whole request", "{{$now | iso}}") { value, _ in
            value
        },
        Function(
            "$random.int", with: [Parameter("FROM", .number), Parameter("TO", .number)], [], .number,
            "A whole number from FROM to TO", "{{$random.int 1 6}}"
        ) { value, arguments throws(FunctionProblem) in
            let range = -1_000_000_000_000...1_000_000_000_000
            let (low, high) = (try arguments[0].whole(range), try arguments[1].whole(range))
            guard low <= high else { throw FunctionProblem("takes a FROM that is not more than TO") }
            return .number(String(low + Int(value.randomNumber(0) % UInt64(high - low + 1))))
        },
        Function(
            "$random.text", with: [Parameter("N", .number)], [], .text, "N letters and digits", "{{$random.text 8}}"
        ) {
            value, arguments throws(FunctionProblem) in
            let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
            let count = try arguments[0].whole(0...10_000)
            let text = (0..<count).map { letters[Int(value.randomNumber($0) % 62)] }
            return .text(String(decoding: text, as: UTF8.self))
        },
        Function("$random.hex", with: [Parameter("N", .number)], [], .text, "N hex digits", "{{$random.hex 32}}") {
            value, arguments throws(FunctionProblem) in
            let count = try arguments[0].whole(0...10_000)
            return .text(
                String((0..<(count + 1) / 2).flatMap { [UInt8(value.randomNumber($0) & 255)].hex }.prefix(count)))
        },
        Function(
            "$random.pick", with: [Parameter("V", .anything, isRepeated: true)], [], .argument, "One of the values",
            "{{$random.pick 'red' 'blue'}}"
        ) { value, arguments in arguments[Int(value.randomNumber(0) % UInt64(arguments.count))] },
        Function(
            "file", with: [Parameter("PATH", .file)], [], .bytes, "The bytes of a file, from the workspace's root",
            "{{file 'logo.png' | base64}}"
        ) { value, _ in value },
    ]
}

extension FunctionValue {
    /// One of any number of random numbers that follow from random bytes.
    fileprivate func randomNumber(_ index: Int) -> UInt64 {
        SHA256.hash(bytes + String(index).utf8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
