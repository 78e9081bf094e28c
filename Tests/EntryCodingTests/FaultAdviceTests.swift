import EntryCoding
import Foundation
import Soups
import TestSupport
import Testing

/// What a fault says to those who log it: APP-80 and APP-81.
@Suite struct FaultAdviceTests {
    private static func codes() throws -> [Fault.Code] {
        let file = TestData.packageRoot + "/Sources/Soups/Fault+Code.swift"
        let source = String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
        return source.matches(of: /Self\(rawValue: "(\w+)"\)/).map { Fault.Code(rawValue: String($0.1)) }
    }

    @Test func `every code has one sentence of advice`() throws {
        let codes = try Self.codes()
        #expect(codes.count >= 74)
        for code in codes {
            let advice = try #require(code.advice, "\(code.rawValue)")
            #expect(advice.first?.isLowercase == true && !advice.hasSuffix("."), "\(code.rawValue)")
        }
        #expect(Fault.Code(rawValue: "unheardOf").advice == nil)
    }

    @Test func `every code has a number of its own, and keeps it`() throws {
        let codes = try Self.codes()
        let numbers = Fault.Code.numbered
        #expect(Set(numbers.keys) == Set(codes))
        #expect(Set(numbers.values).count == numbers.count)
        // New codes get new numbers, these stay.
        #expect(Fault.Code.soupNotFound.number == 1 && Fault.Code.wrongKey.number == 19)
        #expect(Fault.Code.busy.number == 26 && Fault.Code.invalidPlan.number == 82)
        #expect(Fault.Code(rawValue: "unheardOf").number == nil)
    }

    @Test func `a fault is a localized error`() {
        let fault: any LocalizedError = Fault(.busy, "the file is locked", offset: 7)
        #expect(fault.errorDescription == "busy: the file is locked (at byte 7)")
        #expect(fault.failureReason == "busy")
        #expect(fault.recoverySuggestion == Fault.Code.busy.advice)
    }

    @Test func `faults that may pass by themselves can be tried again`() {
        #expect(Fault(.busy, "").isRetryable && Fault(.conflict, "").isRetryable)
        #expect(!Fault(.diskFull, "").isRetryable && !Fault(.wrongKey, "").isRetryable)
    }
}
