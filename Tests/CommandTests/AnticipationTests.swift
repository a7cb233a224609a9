import Commands
import Testing

struct AnticipationTests {
    @Test(
        "Only a call that goes to a server is taken for one",
        arguments: [
            (["send", "ping"], true), (["send", "ping", "-e", "staging"], true), (["send", "ping", "--stub"], false),
            (["send", "--stub=empty", "ping"], false), (["send", "--help"], false), (["send", "ping", "-h"], false),
            (["send"], false), (["render", "ping"], false), (["check"], false), ([], false),
        ])
    func sending(_ words: [String], isSending: Bool) {
        #expect(Anticipation.isSending(words) == isSending)
    }
}
