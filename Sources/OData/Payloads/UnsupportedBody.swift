import Soups

/// The kinds of bodies that this library recognises but does not read. They are refused by their name, so that none is
/// read as something else.
enum UnsupportedBody {
    case message, jsonMetadata

    var fault: Fault { Fault(.unsupported, message, offset: 0) }

    private var message: String {
        switch self {
        case .message: "a body of application/http is not supported; read it as a part of a batch"
        case .jsonMetadata: "metadata as JSON (CSDL 4.01) is not a payload; read it as a model"
        }
    }
}
