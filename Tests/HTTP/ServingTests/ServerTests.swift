import HTTPWire
import ReqcliServing
import Testing

@Suite("A server on loopback")
struct ServerTests {
    @Test("A request gets its response, and the connection is kept for the next one")
    func keptConnection() throws {
        let server = try TestServer()
        let client = try server.connect()
        for path in ["/a", "/b"] {
            client.send("GET \(path) HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(client.text(until: "GET \(path) ") == "HTTP/1.1 200 OK\nContent-Length: 7\n\nGET \(path) ")
        }
    }
}
