// Foundation whole: on Linux its requests and sessions are in a module of their own, elsewhere they are not.
@_exported public import Foundation

#if canImport(FoundationNetworking)
    @_exported public import FoundationNetworking
#endif
