// Exports all of Foundation. On Linux, Foundation's requests and sessions are in a separate module; on other systems they are
// not.
@_exported public import Foundation

#if canImport(FoundationNetworking)
@_exported public import FoundationNetworking
#endif
