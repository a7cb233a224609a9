import Testing

@Suite struct ExportTests {
}
