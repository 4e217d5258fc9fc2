import type { FailureFate } from '../../model/failure-fate.ts'
import type { Message } from '../../model/message.ts'
import type { Session } from '../../model/session.ts'
import type { ToolCall } from '../../model/tool-call.ts'
import { callLine } from '../messages/call-line.ts'
import { isDamagedSession } from '../messages/is-damaged-session.ts'
import { oneLine } from '../messages/message-text.ts'
import { RecordedCalls } from '../messages/recorded-calls.ts'
import { findFailures } from './find-failures.ts'
import { countFates, type FailedRun, failedRuns, type RecordOfRuns } from './find-runs.ts'
import { isCommand } from './run-subject.ts'

const MAX_COMMAND_LENGTH = 60

type OpenFate = Exclude<FailureFate, 'laterSucceeded'>

/** What the verdict on a session says of the commands that still fail, or else of those that were never rerun. */
export interface OpenCommands {
  fate: OpenFate
  text: string
  /** Of the last of them. */
  messageKey: string
}

/**
 * Keys of the messages where something failed: what steps, filters and searches for errors lead to. While a session
 * is written (`isLive`), a prompt that nothing answered may yet be.
 */
export function failedKeys(
  session: Pick<Session, 'kind' | 'messages' | 'files'>,
  { isLive = false }: { isLive?: boolean } = {},
): Set<string> {
  const { refusals, turns } = findFailures(session)
  // Also where a call is drawn a second time: a copy is what the page shows of it.
  const calls = session.messages.filter(({ toolCalls }) => toolCalls.some(({ failed }) => failed))
  return new Set([
    ...calls.map(({ key }) => key),
    ...refusals.map(({ key }) => key),
    // Where a notice says why, that is the place to go to.
    ...turns.flatMap(({ prompt, refusal }) => (refusal === null && !isLive ? prompt.key : [])),
  ])
}

/**
 * Of the calls of tools: `4 failed: 3 later succeeded, 1 still failing`, and the message with the first of them; null where
 * none failed. Of those that were rewound or replaced it says that, as they have no fate.
 */
export function failedCallsSentence(session: RecordOfRuns): { text: string; messageKey: string } | null {
  const failed = isDamagedSession(session) ? [] : recordedFailures(session.messages)
  const [first] = failed
  if (first === undefined) return null
  const judged = failedRuns(session)
  const { laterSucceeded, stillFailing, neverRerun } = countFates(judged)
  const fated = new Set(judged.map(({ run }) => run.call))
  const gone = failed.filter(({ call }) => !fated.has(call))
  const replaced = gone.filter(({ message }) => message.superseded === 'replaced').length
  const fates: [number, string][] = [
    [laterSucceeded, 'later succeeded'],
    [stillFailing, 'still failing'],
    [neverRerun, 'never rerun'],
    [gone.length - replaced, 'rewound'],
    [replaced, 'replaced'],
  ]
  const counted = fates.filter(([count]) => count > 0)
  const [[, words] = [0, '']] = counted
  const told =
    counted.length === 1 ? `, ${words}` : `: ${counted.map(([count, each]) => `${count} ${each}`).join(', ')}`
  return { text: `${failed.length} failed${told}`, messageKey: first.message.key }
}

/** What is open of these failed runs: the commands whose last run failed. null: none. */
export function openCommands(failed: readonly FailedRun[]): OpenCommands | null {
  // of each command its last run alone, which is the one that is open if any is
  const open = failed.filter(({ run, series, kind }) => {
    return kind !== 'laterSucceeded' && isCommand(run.call) && run === series.at(-1)
  })
  const still = open.filter(({ kind }) => kind === 'stillFailing')
  const told = still.length > 0 ? still : open
  const latest = told.at(-1)?.run
  if (latest === undefined) return null
  const fate = still.length > 0 ? 'stillFailing' : 'neverRerun'
  return { fate, text: openSentence(fate, latest.call, told.length), messageKey: latest.message.key }
}

function openSentence(fate: OpenFate, latest: ToolCall, count: number): string {
  const command = nameCommand(latest)
  if (fate === 'neverRerun') {
    const commands = count === 1 ? '1 failed command was' : `${count} failed commands were`
    return `${commands} never rerun. Last: ${command}`
  }
  const others = count === 1 ? '' : `, and ${count - 1} more ${count === 2 ? 'command' : 'commands'}`
  return `Still failing: ${command}${others}`
}

/** `npm test` (exit 1) */
function nameCommand(call: ToolCall): string {
  const exit = call.exitCode === null ? '' : ` (exit ${call.exitCode})`
  return `\`${oneLine(callLine(call), MAX_COMMAND_LENGTH)}\`${exit}`
}

function recordedFailures(messages: readonly Message[]) {
  const recorded = new RecordedCalls()
  return messages.flatMap((message) =>
    recorded.newIn(message).flatMap((call) => (call.failed ? { call, message } : [])),
  )
}
