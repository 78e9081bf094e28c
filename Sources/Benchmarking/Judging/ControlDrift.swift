/// Says how much the speed of the machine changed during a run, judged by the control, which does the same work in
/// every round and touches no storage.
///
/// Drift does not bias pairs, because it affects both arms. Too much of it means that the machine changed during the
/// run, so that medians describe neither its beginning nor its end.
package enum ControlDrift {
    /// The last third of the control's times over the first third, by their medians; nil with fewer than six blocks.
    package static func measured(_ samples: [Sample]) -> Double? {
        let control = samples.filter {
            $0.isControl && $0.metric == .wall && !$0.isWarmUp && $0.look == .first
                && $0.arm == .plain
        }
        let times = control.sorted { $0.block < $1.block }.compactMap(\.perUnit)
        guard times.count >= 6, let first = Quantiles.median(Array(times.prefix(times.count / 3))),
            let last = Quantiles.median(Array(times.suffix(times.count / 3))), first > 0
        else {
            return nil
        }
        return last / first
    }

    /// Beyond it a run is not valid.
    package static let limit = Margin(0.25)

    /// What to say of a run that drifted too far; nil if it did not.
    package static func fault(_ samples: [Sample]) -> String? {
        guard let drift = measured(samples), drift > limit.upper || drift < limit.lower else {
            return nil
        }
        let shown = (drift * 100).rounded() / 100
        return
            "\(Control.workload): the control drifted: at the end it took \(shown) times as long as at the beginning; measure again when the machine is idle"
    }
}
