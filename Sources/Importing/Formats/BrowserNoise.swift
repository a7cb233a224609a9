enum BrowserNoise {
    static func remove(from request: inout ImportedRequest, _ notes: inout [ImportNote]) {}
}
