import Platform

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Says in words why a file or a folder could not be used, instead of in Foundation's own text of an error.
enum FileReason {
    static func text(_ error: any Error) -> String {
        if let error = error as? SystemError {
            return error.reason
        }
        switch (error as? CocoaError)?.code {
        case .fileNoSuchFile?, .fileReadNoSuchFile?: return "there is no such file or folder"
        case .fileReadNoPermission?, .fileWriteNoPermission?: return "permission denied"
        case .fileWriteOutOfSpace?: return "the disk is full"
        case .fileWriteVolumeReadOnly?: return "the disk is read-only"
        case .fileWriteFileExists?: return "a file with that name is in the way"
        case .fileReadTooLarge?: return "the file is too large"
        default: return "the system refused it"
        }
    }
}
