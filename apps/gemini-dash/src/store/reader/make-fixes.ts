import { toolOutputTexts } from '@gemini-dash/session-index'
import {
  callLine,
  commandFolder,
  commandState,
  EditStory,
  type Fix,
  type FixStep,
  findFixes,
  foldPath,
  isCommand,
  type Message,
  type Run,
  type SessionEdit,
  type ToolCall,
} from 'gemini-sessions'
import { type ErrorMatch, type ErrorText, lineOfError, matchError } from '../search/error-text.ts'
import type { OpenedSession } from './opened-session.ts'
import { feedMessages } from './walk-messages.ts'

interface PlaceInSession {
  messageKey: string
  timestamp: string | null
}

/** The part of a session that shows how an error was fixed. Texts are as recorded. */
export interface SessionFix {
  match: ErrorMatch
  failed: PlaceInSession
  tool: string
  /** The command, or another one-line description of what failed. */
  check: string
  exitCode: number | null
  /** The line of its output with the error. */
  said: string | null
  passed: PlaceInSession
  /** The command that passed, if it is broader than the check. */
  passedAs: string | null
  step: QuotedStep | null
  /** Names of everything done in between, in recorded order. */
  between: string[]
  /** Files edited in between, and their last known state in this session. */
  files: { path: string; state: SessionEdit['state'] }[]
}

/** An edit with its old and new text, or a command. */
type QuotedStep = PlaceInSession &
  (
    | { kind: 'command'; command: string }
    | { kind: 'edit'; file: string; old: string | null; new: string | null }
  )

/** Of these messages, those with a failed call whose output has the error, and where the same later succeeded. */
export async function makeFixes(
  { session, shelved, place }: OpenedSession,
  { messageKeys, error }: { messageKeys: string[]; error: ErrorText },
): Promise<SessionFix[]> {
  const wanted = new Set(messageKeys)
  const restored = await shelved.restore(session.messages.filter(({ key }) => wanted.has(key)))
  const byKey = new Map(restored.map((message) => [message.key, message]))
  const outputOf = ({ message: { key }, index }: Run) => {
    const call = byKey.get(key)?.toolCalls[index]
    return call === undefined ? '' : toolOutputTexts(call).join('\n')
  }
  const matchOf = (run: Run) => (wanted.has(run.message.key) ? matchError(error, outputOf(run)) : null)
  const fixes = findFixes(session, place.root, ({ run }) => matchOf(run) !== null)
  if (fixes.length === 0) return []
  const steps = fixes.flatMap(({ step }) => step?.message ?? [])
  const quoted = new Map((await shelved.restore(steps)).map((message) => [message.key, message]))
  const states = fixes.some((fix) => fix.steps.some(isEdit))
    ? await editStates(session.messages, shelved, place.root)
    : []
  return fixes.flatMap((fix): SessionFix[] => {
    const match = matchOf(fix.failed)
    if (match === null) return []
    const { failed, passed, step } = fix
    return [
      {
        match,
        failed: placeOf(failed),
        tool: failed.call.name,
        check: callLine(failed.call),
        exitCode: failed.call.exitCode,
        said: lineOfError(error, outputOf(failed)),
        passed: placeOf(passed),
        passedAs: isSame(failed, passed) ? null : callLine(passed.call),
        step: step && quote(step, quoted.get(step.message.key)?.toolCalls[step.index] ?? step.call),
        between: fix.steps.map(({ name }) => name),
        files: filesOf(fix, states),
      },
    ]
  })
}

/** A command as recorded, with its folder. null: no such call. */
export async function makeCommand(
  { session, shelved }: OpenedSession,
  { messageKey, place }: { messageKey: string; place: number },
): Promise<RecordedCommand | null> {
  const message = session.messages.find(({ key }) => key === messageKey)
  const [whole] = message === undefined ? [] : await shelved.restore([message])
  const call = whole?.toolCalls[place]
  if (call === undefined) return null
  return { command: callLine(call), folder: commandFolder(call), state: commandState(call) }
}

export interface RecordedCommand {
  command: string
  folder: string | null
  state: ReturnType<typeof commandState>
}

/** Tools of one kind on the same file count as the same, too. */
function isSame(failed: Run, passed: Run): boolean {
  return !isCommand(failed.call) || callLine(failed.call).trim() === callLine(passed.call).trim()
}

function isEdit({ path }: FixStep): boolean {
  return path !== null
}

function placeOf({ message, call }: Run): PlaceInSession {
  return { messageKey: message.key, timestamp: call.timestamp ?? message.timestamp }
}

function quote(step: FixStep, call: ToolCall): QuotedStep {
  const place = placeOf(step)
  if (!isEdit(step)) return { ...place, kind: 'command', command: callLine(call) }
  const given = (...names: string[]) => textOf(call.args, names)
  const diff = call.display?.kind === 'diff' ? call.display : null
  return {
    ...place,
    kind: 'edit',
    file: step.name,
    old: given('old_string', 'TargetContent'),
    new: given('new_string', 'content', 'ReplacementContent', 'CodeContent') ?? diff?.fileDiff ?? null,
  }
}

function textOf(args: unknown, names: readonly string[]): string | null {
  if (typeof args !== 'object' || args === null) return null
  const given = names.map((name): unknown => Reflect.get(args, name))
  return given.find((value): value is string => typeof value === 'string') ?? null
}

async function editStates(
  messages: readonly Message[],
  shelved: OpenedSession['shelved'],
  root: string | null,
): Promise<SessionEdit[]> {
  const story = new EditStory(root)
  await feedMessages(
    messages,
    (batch) => shelved.restore(batch),
    (batch) => story.add(batch),
  )
  return story.finish()
}

/** Each file once, with the state of its last edit in between. */
function filesOf({ steps }: Fix, states: readonly SessionEdit[]): SessionFix['files'] {
  const files = new Map<string, SessionFix['files'][number]>()
  for (const { path, message, call } of steps) {
    if (path === null) continue
    const edit = states.find(
      (each) =>
        each.messageKey === message.key && each.callId === call.id && foldPath(each.path) === foldPath(path),
    )
    files.set(foldPath(path), { path, state: edit?.state ?? 'unknown' })
  }
  return [...files.values()]
}
