import Libc

extension ChildProcess {
    /// Held while a program is started, and while descriptors exist that a program must not inherit.
    static let spawning = Lock()

    static func spawn(
        _ executable: String, _ arguments: [String], adding variables: [String: String], input: Int32, output: Int32
    ) throws(SystemError) -> Int32 {
        #if canImport(Darwin) || canImport(Android)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #else
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        // A group of its own, and the usual end for a program that writes to a closed pipe, which this process ignores.
        posix_spawnattr_setpgroup(&attributes, 0)
        var defaults = sigset_t()
        sigemptyset(&defaults)
        sigaddset(&defaults, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP) | Int16(POSIX_SPAWN_SETSIGDEF))
        // Copies that live until after the call.
        let own = arguments.map { strdup($0) }
        let added = variables.map { strdup($0.key + "=" + $0.value) }
        defer {
            for text in own + added {
                free(text)
            }
        }
        var argv = own + [nil]
        var envp = inherited(without: variables.keys.map { $0 + "=" }) + added + [nil]
        var id: pid_t = 0
        let result = spawning.locked { posix_spawn(&id, executable, &actions, &attributes, &argv, &envp) }
        guard result == 0 else {
            throw SystemError("start a program", result)
        }
        return id
    }

    /// The variables of this process, as they are: they need not be UTF-8.
    private static func inherited(without beginnings: [String]) -> [UnsafeMutablePointer<CChar>?] {
        var all: [UnsafeMutablePointer<CChar>?] = []
        #if canImport(Darwin)
        let first = _NSGetEnviron().pointee
        #else
        let first: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = environ
        #endif
        guard var next = first else {
            return []
        }
        while let variable = next.pointee {
            if !beginnings.contains(where: { strncmp($0, variable, $0.utf8.count) == 0 }) {
                all.append(variable)
            }
            next += 1
        }
        return all
    }
}
