import type { ChangeStep, EditDoubt, SessionEdit } from 'gemini-sessions'
import { formatPlural } from './figures.ts'
import { FATE_WORDS } from './verdict-words.ts'

type CommandStep = Extract<ChangeStep, { kind: 'command' }>

/** How much of an edit is in the last recorded content of its file. */
export const EDIT_STATE_WORDS: Readonly<Record<SessionEdit['state'], string>> = {
  stands: 'Unchanged since',
  partly: 'Partly overwritten',
  gone: 'Overwritten',
  unknown: 'Not known',
  'not-made': 'Not made',
}

/** Why the state is unknown. */
export const EDIT_DOUBT_WORDS: Readonly<Record<EditDoubt, string>> = {
  rewound: 'rewound, and the file was not read again',
  unrecorded: 'what was written is not recorded',
  misfit: 'something else changed the file',
  overlap: 'a later edit overlaps',
  subagent: 'a sub-agent changed the file later',
  'too-large': 'too large to compare',
}

/** What the changes do not cover. */
export const NOT_TRACKED = 'Files changed by shell commands aren’t tracked.'

/** `Overwritten`, `Not known: something else changed the file` */
export function editStateText({ state, doubt }: Pick<SessionEdit, 'state' | 'doubt'>): string {
  return doubt === null ? EDIT_STATE_WORDS[state] : `${EDIT_STATE_WORDS[state]}: ${EDIT_DOUBT_WORDS[doubt]}`
}

/** `worked`, `failed, exit 1, later succeeded` */
export function commandStateText({
  state,
  exitCode,
  fate,
}: Pick<CommandStep, 'state' | 'exitCode' | 'fate'>): string {
  const exit = state === 'failed' && exitCode !== null ? [`exit ${exitCode}`] : []
  return [COMMAND_WORDS[state], ...exit, ...(fate === 'laterSucceeded' ? [FATE_WORDS[fate]] : [])].join(', ')
}

const COMMAND_WORDS: Readonly<Record<CommandStep['state'], string>> = {
  worked: 'worked',
  failed: 'failed',
  left: 'left running or ended early',
  cancelled: 'stopped or declined',
  unanswered: 'no result recorded',
}

/**
 * What is known of a failed command beyond its exit code: when it last worked, what was edited since, and whether it was run again.
 * `writeClock`: formats a time of day.
 */
export function failureNotes(step: CommandStep, writeClock: (iso: string) => string): string[] {
  const { state, fate, sinceWorked, timestamp, isFirstFailure, isLastRun } = step
  if (state !== 'failed' || fate === null) return []
  const at = (time: string | null) => (time === null ? '' : ` at ${writeClock(time)}`)
  const notes: string[] = []
  if (sinceWorked !== null && isFirstFailure) {
    const { worked, count, files } = sinceWorked
    const edits =
      count === 0 ? 'no edits in between' : `${formatPlural(count, 'edit')} in between: ${files.join(', ')}`
    notes.push(`Worked${at(worked.timestamp)}, failed${at(timestamp)}, ${edits}`)
  }
  if (isLastRun) {
    const end = fate === 'stillFailing' ? ' Still failing when the session ended.' : ''
    notes.push(`Not rerun after this.${end}`)
  }
  return notes
}
