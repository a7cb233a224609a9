import Testing

@testable import ReqcliBasics

@Suite struct HashTests {
    @Test(
        "MD5 matches the test values of RFC 1321",
        arguments: [
            ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
            ("abc", "900150983cd24fb0d6963f7d28e17f72"), ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
            ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
            (
                "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
                "57edf4a22be3c955ac49da2e2107b67a"
            ),
        ])
    func md5(message: String, hash: String) {
        #expect(MD5.hash(message.utf8).hex == hash)
    }

    @Test(
        "SHA-256 matches the test values of FIPS 180",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func sha256(message: String, hash: String) {
        #expect(SHA256.hash(message.utf8).hex == hash)
    }

    @Test("messages of every length around a block boundary are padded correctly")
    func lengths() {
        // A hash over all hashes, compared with the result of another implementation.
        var md5: [UInt8] = []
        var sha256: [UInt8] = []
        for count in 0..<130 {
            let message = [UInt8](repeating: 0x61, count: count)
            md5 += MD5.hash(message)
            sha256 += SHA256.hash(message)
        }
        #expect(MD5.hash(md5).hex == "2a633766eeb4629b7079156dc23c647e")
        #expect(SHA256.hash(sha256).hex == "39a48225ae6069c68f7c9f867bf47f4a2e188c3903dd919926b8259a73ecada5")
    }

    @Test(
        "every hash and its HMAC match another implementation, at every length around two blocks",
        arguments: [
            (
                .md5, "f69045f1f86bd369b798b328a42519bd", "e95fb3ae245a2ecd4aaca63154bb2c7b"
            ),
            (
                .sha1, "56113b24ecd6023c1d1c5f6603ea0f5600229b46", "39dade4135e8f04afc23cbff0e4f1c8733071080"
            ),
            (
                .sha256, "2f2d4000d5f75fc70a1cdd5c05c8a31ebc4de4b8444cd3726892cf8b1d5a0fc2",
                "384ffa6adc3dee341e90fc63cdb7b3eb74ef2bc701c62f37f519ea9c82fac6a3"
            ),
            (
                .sha384,
                "16857954574fd9932fcccaac871870e091f57c90163f16c4b885c3af4d81da2920da1e2de7db0e0d003f06713c507136",
                "b85169b151c2b37c03d383af5335931df56b0d69a4373f121c334724fc98fb910ef9214555b623571d709d42d57513b1"
            ),
            (
                .sha512,
                "f1ca8427c888b94d32191414922ccc597c73e8f20f7ef91b870d3964ad46ce21981d45b8620e4df39e852124b7fceef6b054345759e41f15b262d76c40330bdc",
                "71c06d6cae64ebc7752e51dae29644de0cc86acea5ca82735e1f09ee993dc4bfaf6ac2b8403bc12ccc880d3ab3ecd0365342d0db243ec186b95374d27656e27c"
            ),
        ] as [(HashAlgorithm, String, String)])
    func all(hash: HashAlgorithm, hashes: String, codes: String) {
        let message = Array("what do ya want for nothing?".utf8)
        let counts = 0..<260
        #expect(hash.hash(counts.flatMap { hash.hash([UInt8](repeating: 0x61, count: $0)) }).hex == hashes)
        #expect(
            hash.hash(counts.flatMap { hash.code(of: message, key: [UInt8](repeating: 0x6B, count: $0)) }).hex == codes)
    }
}
