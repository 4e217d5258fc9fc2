import type { TypedOnly } from 'gemini-sessions'
import { MachineText } from '../../content/text/machine-text.tsx'
import { formatDateTime } from '../../lib/figures/format.ts'
import { Disclosure } from '../../ui/controls/disclosure.tsx'
import { TimeText } from '../../ui/figures/time-text.tsx'

/** Prompts and commands that only the project's log of typed lines knows. */
export function TypedList({ typed }: { typed: readonly TypedOnly[] }) {
  const prompts = typed.filter(({ isCommand }) => !isCommand)
  const commands = typed.filter(({ isCommand }) => isCommand)
  return (
    <div className="typed-list">
      {prompts.length > 0 && (
        <>
          <p className="session-files-note">
            Typed in this session, but not in its file: a failed request or a rewind of an old version removes
            them.
          </p>
          <Lines lines={prompts} />
        </>
      )}
      {commands.length > 0 && (
        <Disclosure
          bodyClassName="typed-commands"
          head={<span>Commands typed, answered by the CLI itself ({commands.length})</span>}
        >
          {() => <Lines lines={commands} />}
        </Disclosure>
      )}
    </div>
  )
}

function Lines({ lines }: { lines: readonly TypedOnly[] }) {
  return (
    <ul>
      {withKeys(lines).map(({ key, text, timestamp }) => (
        <li key={key}>
          <span className="typed-text" dir="auto">
            <MachineText text={text} />
          </span>
          {timestamp !== null && (
            <span className="beside-remark">
              <TimeText time={timestamp}>{formatDateTime(timestamp)}</TimeText>
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

/** The same line can be typed twice in a second. */
function withKeys(lines: readonly TypedOnly[]) {
  return lines.map((line, index) => ({ ...line, key: `${index} ${line.timestamp}` }))
}
