import Testing

@testable import Exchange

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
}
