package import ReqcliDefinitions
import ReqcliText

extension CheckPlan {
    /// A short string that changes if the cases of the whole run change, or their definitions in the files. The string covers the
    /// environment's name and files, the cases with their params and snapshots, and the files of all endpoints that run.
    ///
    /// All shards of one plan have the same fingerprint. Values of secret params and other files do not change it.
    ///
    /// - Parameter flags: The flags that change where responses come from, or what is expected of the responses.
    package func fingerprint(in environment: EnvironmentChain, flags: [[UInt8]] = []) -> String {
        var hash = Fingerprint()
        for flag in flags { hash.add(flag) }
        hash.add(environment.name)
        for layer in environment.layers { hash.add(layer.place.file.bytes) }
        var files: Set<ObjectIdentifier> = []
        let needed = dependencies.values.map(\.endpoint).sorted { $0.id < $1.id }
        let steps = allScenarios.flatMap(\.allSteps).map(\.endpoint)
        for endpoint in all.map(\.endpoint) + steps + needed
        where files.insert(ObjectIdentifier(endpoint.file)).inserted {
            hash.add(endpoint.file.bytes)
        }
        for each in all {
            hash.add(each.id)
            for parameter in each.parameters { hash.add(parameter.shown) }
            if let accepted = each.snapshot?.accepted { hash.add(accepted.root.text) }
        }
        for each in allScenarios {
            hash.add(each.id)
            hash.add(each.scenario.file.bytes)
            hash.add(each.steps.last?.label ?? "")
            for parameter in each.parameters { hash.add(parameter.shown) }
            for element in each.allSteps.flatMap({ $0.elements ?? [] }) { hash.add(element.compact) }
        }
        return hash.text
    }
}

/// The FNV-1a hash of a list of strings. Each string is followed by its length, so that two different lists never give the same
/// bytes.
private struct Fingerprint {
    private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

    var text: String {
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    mutating func add(_ text: String) { add(Array(text.utf8)) }

    mutating func add(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { bytes in
            for byte in bytes { add(byte) }
        }
        for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: bytes.count >> shift)) }
    }

    private mutating func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
}
