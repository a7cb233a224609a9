/// The values that tools generate under the same names, as placeholders of reqcli that mean the same.
enum GeneratedValues {
    static let named = [
        "$guid": "$uuid", "$randomUUID": "$uuid", "$timestamp": "$timestamp", "$isoTimestamp": "$isoTimestamp",
        "$randomInt": "$random.int 0 1000", "$randomAlphaNumeric": "$random.text 1",
        "$randomPassword": "$random.text 15",
    ]
}
