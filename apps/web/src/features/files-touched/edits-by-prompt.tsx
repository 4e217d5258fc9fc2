import { useQuery } from '@tanstack/react-query'
import type { EditDoubt, SessionEdit, SessionEdits } from 'gemini-sessions'
import { sessionAnswerQuery } from '../../api/session/session-answer.ts'
import { MachineText } from '../../content/text/machine-text.tsx'
import { formatPlural } from '../../lib/figures/format.ts'
import { LineChangeFigure } from '../../ui/figures/line-change.tsx'
import { Failed } from '../../ui/states/failed.tsx'
import { SkeletonRows } from '../../ui/states/skeleton-rows.tsx'

interface Props {
  sessionRef: string
  onJump: (messageKey: string, offset: number | null) => void
}

/** Which prompt led to which edits, and which of them the last known state of their files still has. */
export function EditsByPrompt({ sessionRef, onJump }: Props) {
  const { data, error, refetch } = useQuery(sessionAnswerQuery('edits', sessionRef))
  if (error !== null) return <Failed what="The edits could not be listed." error={error} onRetry={refetch} />
  if (data === undefined) return <SkeletonRows count={4} label="Looking for the edits of this session" />
  if (data.prompts.length === 0) return <p className="files-touched-note">This session edited no file.</p>
  return (
    <div className="edits-by-prompt">
      <p className="files-touched-note">{summaryOf(data.counts)}</p>
      <ol className="edit-prompts">
        {data.prompts.map(({ messageKey, text, edits }) => (
          <li key={`${messageKey} ${edits[0]?.offset}`}>
            {messageKey === null ? (
              <p className="edit-prompt dim">Before the first prompt</p>
            ) : (
              <button type="button" className="edit-prompt" onClick={() => onJump(messageKey, null)}>
                {text.trim() === '' ? 'A prompt without text' : text}
              </button>
            )}
            <ul className="prompt-edits">
              {edits.map((edit) => (
                <li key={`${edit.offset} ${edit.callId} ${edit.path}`}>
                  <EditLine edit={edit} onJump={onJump} />
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </div>
  )
}

function EditLine({ edit, onJump }: { edit: SessionEdit; onJump: Props['onJump'] }) {
  const { path, name, lines, state, doubt, messageKey, offset } = edit
  return (
    <>
      <button
        type="button"
        className="edit-file mono"
        title={path}
        onClick={() => onJump(messageKey, offset)}
      >
        <MachineText text={name} />
      </button>
      {lines !== null && <LineChangeFigure {...lines} />}
      <span className={`edit-state edit-${state}`}>{doubt === null ? STATES[state] : DOUBTS[doubt]}</span>
    </>
  )
}

const STATES: Record<SessionEdit['state'], string> = {
  stands: 'still stands',
  partly: 'stands in part',
  gone: 'no longer there',
  unknown: 'unknown',
  'not-made': 'not made',
}

const DOUBTS: Record<EditDoubt, string> = {
  rewound: 'unknown: taken back, and the file was not seen again',
  unrecorded: 'unknown: what was written is not recorded',
  misfit: 'unknown: something else changed the file',
  overlap: 'unknown: a later edit took part of it',
  subagent: 'unknown: a sub-agent changed the file later',
  'too-large': 'unknown: too large to compare',
}

function summaryOf({ stands, partly, gone, unknown, notMade }: SessionEdits['counts']): string {
  const parts = [
    `${stands} still stand`,
    ...(partly > 0 ? [`${partly} in part`] : []),
    ...(gone > 0 ? [`${gone} no longer there`] : []),
    ...(unknown > 0 ? [`${unknown} unknown`] : []),
    ...(notMade > 0 ? [`${notMade} not made`] : []),
  ]
  const total = stands + partly + gone + unknown + notMade
  return `${formatPlural(total, 'edit')}: ${parts.join(', ')}, by the last content of each file that the log shows. Shell commands are not looked into.`
}
