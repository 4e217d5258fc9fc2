import { Disclosure } from '../../ui/controls/disclosure.tsx'

/** What /stats of the CLI does, by the source of 0.61.0 (uiTelemetry); other versions may differ. */
export function StatsNote() {
  return (
    <Disclosure head="Why /stats of the CLI says something else">
      {() => (
        <ul className="explain-notes">
          <li>
            It counts requests of the running process; /clear begins anew, and a resumed session is counted
            from the messages that still stand.
          </li>
          <li>
            So what was rewound or compacted away is missing there after a resume; here it counts, as it was
            billed.
          </li>
          <li>
            It also counts requests that leave no message in the file, such as those for summaries and
            compression, and those that failed.
          </li>
          <li>
            Its requests of sub-agents are in the same sum; here a sub-agent is a session of its own, added
            beside its parent.
          </li>
          <li>
            Its input leaves the cached tokens out, and its output the thoughts. It shows tokens, no prices.
          </li>
          <li>A shell command that ended with an error code is a success there, and a failed call here.</li>
        </ul>
      )}
    </Disclosure>
  )
}
