import Conformance
import JSONText
import OData
import Soups
import TestSupport
import Testing

/// Damaged, hostile and truncated bodies must quickly give a typed fault, and a partial feed must never look complete.
struct PayloadRobustnessTests {
    static let namespaces =
        "xmlns=\"http://www.w3.org/2005/Atom\" xmlns:d=\"http://schemas.microsoft.com/ado/2007/08/dataservices\" xmlns:m=\"http://schemas.microsoft.com/ado/2007/08/dataservices/metadata\""

    static let samples: [(name: String, version: ODataVersion, bytes: [UInt8])] = [
        (
            "atom", .v2,
            Array(
                "<?xml version='1.0'?><feed \(namespaces) xml:base='http://h/'><m:count>2</m:count><entry m:etag='1'><id>x:1</id><link rel='http://schemas.microsoft.com/ado/2007/08/dataservices/related/P' type='application/atom+xml;type=feed' href='P'><m:inline><feed><entry><content type='application/xml'><m:properties><d:A>é&amp;</d:A></m:properties></content></entry></feed></m:inline></link><content type='application/xml'><m:properties><d:I m:type='Edm.Int32'>5</d:I><d:C m:type='N.C'><d:X>1</d:X></d:C><d:L m:type='Collection(Edm.String)'><d:element>a</d:element></d:L><d:N m:null='true'/></m:properties></content></entry><link rel='next' href='n'/></feed>"
                    .utf8)
        ),
        (
            "verbose", .v2,
            Array(
                "{\"d\":{\"results\":[{\"__metadata\":{\"uri\":\"http://h/1\",\"type\":\"N.T\"},\"A\":\"é\\u0041\",\"D\":\"/Date(0)/\",\"P\":{\"__deferred\":{\"uri\":\"x\"}},\"Q\":{\"results\":[{\"B\":1}]}}],\"__count\":\"1\"}}"
                    .utf8)
        ),
        (
            "json", .v4,
            Array(
                "{\"@odata.context\":\"http://h/$metadata#X\",\"value\":[{\"@odata.id\":\"X(1)\",\"I@odata.type\":\"#Int64\",\"I\":\"5\",\"C\":{\"X\":[1,2.5,true,null]},\"N@odata.navigationLink\":\"n\"}],\"@odata.nextLink\":\"n\"}"
                    .utf8)
        ),
        (
            "entry", .v401,
            Array("{\"@id\":\"http://h/X(1)\",\"A\":{\"B\":[{\"C\":-1.5e3}]},\"S\":\"\\ud83d\\ude00\"}".utf8)
        ),
    ]

    static func read(_ bytes: [UInt8], _ version: ODataVersion, chunk: Int = .max) throws(Fault) -> [String] {
        var reader = ODataPayloadReader(options: PayloadOptions(version: version))
        var lines: [String] = []
        var index = 0
        while true {
            switch try reader.next() {
            case .entry(let entry): lines.append("\(entry.json.text())")
            case .link(let link): lines.append(link.json.text())
            case .end(let payload):
                lines.append(payload.json.text())
                return lines
            case .needsInput:
                if index < bytes.count {
                    let end = bytes.count - index <= chunk ? bytes.count : index + chunk
                    try reader.append(Array(bytes[index..<end]))
                    index = end
                } else {
                    try reader.finish()
                }
            }
        }
    }

    static func fault(_ bytes: [UInt8], _ version: ODataVersion, chunk: Int = .max) -> Fault? {
        do throws(Fault) {
            _ = try read(bytes, version, chunk: chunk)
            return nil
        } catch { return error }
    }

    @Test func `every prefix is truncated`() {
        for sample in Self.samples {
            for count in 0..<sample.bytes.count {
                let fault = Self.fault(Array(sample.bytes[..<count]), sample.version)
                #expect(fault?.code == .truncated, "\(sample.name), \(count) bytes: \(String(describing: fault))")
            }
            #expect(Self.fault(sample.bytes, sample.version) == nil, "\(sample.name)")
        }
    }

    @Test func `the size of the pieces does not matter`() throws {
        for sample in Self.samples {
            let whole = try Self.read(sample.bytes, sample.version)
            for chunk in 1...40 {
                #expect(try Self.read(sample.bytes, sample.version, chunk: chunk) == whole, "\(sample.name), \(chunk)")
            }
        }
    }

    @Test func `deleting one byte gives the same in pieces and never traps`() {
        for sample in Self.samples {
            for index in sample.bytes.indices {
                var bytes = sample.bytes
                bytes.remove(at: index)
                let whole = Result { () throws(Fault) in try Self.read(bytes, sample.version) }
                let pieces = Result { () throws(Fault) in try Self.read(bytes, sample.version, chunk: 7) }
                switch (whole, pieces) {
                case (.success(let a), .success(let b)): #expect(a == b, "\(sample.name), \(index)")
                case (.failure(let a), .failure(let b)):
                    #expect(a.code == b.code && a.offset == b.offset, "\(sample.name), \(index): \(a) | \(b)")
                default: Issue.record("\(sample.name), \(index)")
                }
            }
        }
    }

    @Test func `an error in a feed is found wherever the pieces end`() {
        let error = "{ \"error\": {\"code\":\"x\"} }"
        let bodies = [
            "{\"value\":[{\"A\":1} \(error)", "{\"value\":[{\"A\":1},{\"A\":2,\(error)",
            "{\"value\":[{\"A\":1}] \(error)",
            "{\"value\":[{\"A\":1}]} \(error)",
        ]
        for body in bodies {
            let bytes = Array(body.utf8)
            for chunk in 1...bytes.count {
                let fault = Self.fault(bytes, .v4, chunk: chunk)
                #expect(fault?.code == .truncated, "\(body), \(chunk)")
                #expect(fault?.offset == bytes.count - error.utf8.count, "\(body), \(chunk)")
            }
        }
    }

    @Test func `bombs are faults at once`() {
        for bomb in PayloadBomb.all {
            var fault: Fault?
            let elapsed = ThreadTime.measure { fault = bomb.fault() }
            #expect(fault.map { bomb.codes.contains($0.code) } == true, "\(bomb.name): \(String(describing: fault))")
            // The specification requires 100 ms in release builds, which ci/payload-speed/run --bombs checks.
            #expect(elapsed < .seconds(10), "\(bomb.name)")
        }
    }

    @Test func `entries come before the end`() throws {
        for sample in Self.samples.prefix(3) {
            var reader = ODataPayloadReader(options: PayloadOptions(version: sample.version))
            try reader.append(Array(sample.bytes[..<(sample.bytes.count - 12)]))
            guard case .entry = try reader.next() else {
                Issue.record("\(sample.name): no entry")
                continue
            }
            guard case .needsInput = try reader.next() else {
                Issue.record("\(sample.name): more than is there")
                continue
            }
        }
    }

    static let packed =
        Base64.decode(
            "H4sIAAAAAAACA7WRwQrCMAxAf2X0A5q5IUrpCh487DNKm7mBWUcbrPt7HerAmwy8heS9d4nuEH1xp+uYGtEzTwog5yxzLUO8QFWWezhxIPFilF+p5HokmyQNLoYUOpYuEFgfFukA5RG8ZZsw3gaH6ePTRh8I2S4LYTSOHGejXRj5ORpNaophwsgDJqO9an1BiucJG3H2JNuR60qYUsNyMhq+eVg78A5v6+/+3K9+7sPyU/MAIFV10doBAAA="
        ) ?? []

    @Test func `packed bodies are read`() throws {
        let whole = try Self.read(Self.packed, .v2)
        #expect(whole.count == 4)
        #expect(whole[2].contains("\"Id\":2"))
        for chunk in [1, 2, 3, 50] {
            #expect(try Self.read(Self.packed, .v2, chunk: chunk) == whole)
        }
    }

    @Test func `packed bodies that are cut broken or too large are faults`() {
        for count in [3, 10, Self.packed.count / 2, Self.packed.count - 1] {
            #expect(Self.fault(Array(Self.packed[..<count]), .v2)?.code == .truncated, "\(count)")
        }
        var broken = Self.packed
        broken[broken.count / 2] ^= 0xFF
        #expect(Self.fault(broken, .v2) != nil)
        var options = PayloadOptions(version: .v2)
        options.limits.totalBytes = 100
        do throws(Fault) {
            _ = try ODataPayload(reading: Self.packed, options: options)
            Issue.record("the limit did not hold")
        } catch { #expect(error.code == .limitExceeded) }
    }

    @Test func `metadata cut or damaged is a fault`() {
        let text = Array(
            "<edmx:Edmx Version='4.0' xmlns:edmx='http://docs.oasis-open.org/odata/ns/edmx'><edmx:DataServices><Schema Namespace='S' xmlns='http://docs.oasis-open.org/odata/ns/edm'><EntityType Name='P'><Key><PropertyRef Name='Id'/></Key><Property Name='Id' Type='Edm.Int32'/></EntityType></Schema></edmx:DataServices></edmx:Edmx>"
                .utf8)
        for count in text.indices {
            do throws(Fault) {
                _ = try EdmModel(csdl: Array(text[..<count]))
                Issue.record("a prefix of \(count) bytes is read")
            } catch { #expect(error.code == .truncated, "\(count)") }
            var damaged = text
            damaged.remove(at: count)
            // The result does not matter, but the call must return.
            _ = try? EdmModel(csdl: damaged)
        }
    }
}
