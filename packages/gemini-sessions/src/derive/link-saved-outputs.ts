import type {
  Message,
  NeighbourFile,
  PastedImage,
  SavedOutput,
  Session,
  ToolCall,
  TypedOnly,
} from '../model/message.ts'
import { toIsoTime } from '../parse/row.ts'
import { messageText } from './messages.ts'
import type { TypedEntry } from './read-prompt-log.ts'
import { savedOutputMentions } from './saved-output-mentions.ts'

/** A file that may contain a tool's output. */
export interface OutputFile {
  file: NeighbourFile
  /** Path below the project's folder. */
  place: string
  /** It is in this session's own folder, so it is shown even if its call is unknown. */
  isOwn: boolean
}

/** Shorter ids could be prefixes in the name of another call's file. */
const MIN_ID_LENGTH = 6

/**
 * Which calls have their whole output in a file: by the path in the result, else by the file name, which the CLI derives from tool and call
 * id. A path only selects among the files that were found; it is never opened as written.
 */
export function linkSavedOutputs(messages: readonly Message[], files: readonly OutputFile[]): SavedOutput[] {
  const calls = messages.flatMap(({ key, toolCalls, copyOf }) =>
    copyOf === null ? toolCalls.map((call) => ({ call, messageKey: key })) : [],
  )
  const mentions = calls.flatMap((of) => savedOutputMentions(of.call).map((path) => ({ ...of, path })))
  const byPlace = new Map(files.map((entry) => [entry.place, entry]))
  const linked = new Map<OutputFile, SavedOutput>()
  const gone: SavedOutput[] = []
  for (const { path, ...of } of mentions) {
    const entry = fileAt(path, byPlace)
    if (entry === undefined) gone.push(toSavedOutput(nameOf(path), of, null))
    else linked.set(entry, toSavedOutput(nameOf(path), of, entry.file))
  }
  const callsById = new Map(calls.map((of) => [toSafeName(of.call.id).toLowerCase(), of]))
  for (const entry of files) {
    if (linked.has(entry)) continue
    const of = callOfName(nameOf(entry.place), callsById)
    if (of !== undefined || entry.isOwn) linked.set(entry, toSavedOutput(nameOf(entry.place), of, entry.file))
  }
  return [...linked.values(), ...gone]
}

interface CallPlace {
  call: ToolCall
  messageKey: string
}

function toSavedOutput(name: string, of: CallPlace | undefined, file: NeighbourFile | null): SavedOutput {
  return {
    name,
    callId: of?.call.id ?? null,
    messageKey: of?.messageKey ?? null,
    toolName: of?.call.name ?? null,
    file,
  }
}

/** The Gemini folder may have been copied, or the project's folder renamed since (0.29): only the part below it must match. */
function fileAt(path: string, byPlace: ReadonlyMap<string, OutputFile>): OutputFile | undefined {
  const names = path.split('/')
  for (const depth of [3, 2, 1]) {
    const entry = byPlace.get(names.slice(-depth).join('/'))
    if (entry !== undefined) return entry
  }
  return undefined
}

/**
 * `<tool>_<call id>.txt` (0.26+), without the tool if the id begins with it (0.29+), `<tool>_<call id>_<random>.txt` (masked), `<call
 * id>.output` (before 0.26): the longest id formed by consecutive words of the name.
 */
function callOfName(name: string, callsById: ReadonlyMap<string, CallPlace>): CallPlace | undefined {
  const words = name
    .replace(/\.(txt|output)$/i, '')
    .toLowerCase()
    .split('_')
  for (let length = words.length; length > 0; length--) {
    for (let start = 0; start + length <= words.length; start++) {
      const id = words.slice(start, start + length).join('_')
      const of = id.length < MIN_ID_LENGTH ? undefined : callsById.get(id)
      if (of !== undefined) return of
    }
  }
  return undefined
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** A session id, call id or tool name as the CLI writes it in file names. */
export function toSafeName(text: string): string {
  return text.replace(/[^A-Za-z0-9_-]/g, '_')
}

/**
 * What was typed in a session but is in none of its files: slash commands, and prompts removed by a failed request or by an old version's
 * rewind. `siblings`: all sessions with the same sessionId, including this one.
 */
export function findTypedOnly(
  session: Session,
  siblings: readonly Session[],
  entries: readonly TypedEntry[],
): TypedOnly[] {
  const typed = distinct(entries.filter(({ sessionId }) => sessionId === session.sessionId))
  if (typed.length === 0) return []
  const recorded = countTexts(siblings.flatMap(({ messages }) => messages))
  const shellLines = siblings.flatMap(({ messages }) => messages.map(messageText).filter(isShellLine))
  const missing = typed.filter(({ message }) => {
    const text = normalized(message)
    const count = recorded.get(text) ?? 0
    if (count > 0) recorded.set(text, count - 1)
    return count === 0 && !shellLines.some((line) => line.includes(text.replace(/^!\s*/, '')))
  })
  return missing
    .map(({ message, timestamp }) => ({
      text: message,
      timestamp: toIsoTime(timestamp),
      isCommand: /^[/?]/.test(message.trimStart()),
    }))
    .filter(({ timestamp }) => ownerOf(timestamp, siblings) === session)
}

/** How often each text was recorded; a copy under a new id does not count again. */
function countTexts(messages: readonly Message[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const message of messages) {
    if (message.origin !== 'human' || message.copyOf !== null) continue
    const text = normalized(messageText(message))
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return counts
}

function isShellLine(text: string): boolean {
  return text.startsWith('I ran the following shell command')
}

function normalized(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** The log of a project was copied with its folder (0.29). */
function distinct(entries: readonly TypedEntry[]): TypedEntry[] {
  return [
    ...new Map(
      entries.map((entry) => [JSON.stringify([entry.messageId, entry.timestamp, entry.message]), entry]),
    ).values(),
  ]
}

/** Of several conversations in one run (`/clear` up to 0.34): the last that had begun; if none had, the first. */
function ownerOf(timestamp: string | null, siblings: readonly Session[]): Session | undefined {
  const inOrder = [...siblings].sort((a, b) => ((a.startTime ?? '') < (b.startTime ?? '') ? -1 : 1))
  const begun = inOrder.findLast(({ startTime }) => (startTime ?? '') <= (timestamp ?? ''))
  return begun ?? inOrder[0]
}

/** `@…/images/clipboard-<ms>.png`; in later prompts spaces in the path are escaped with a backslash. */
const PASTED = /@(?:"[^"\n]*|(?:\\ |[^\s"])*)[/\\]images[/\\](clipboard-[\w.-]*\w)/g

/** Prompts that mention an image from the clipboard. If the record contains the image itself, that one is shown. */
export function linkPastedImages(
  messages: readonly Message[],
  files: readonly NeighbourFile[],
): PastedImage[] {
  const byName = new Map(files.map((file) => [file.path.slice(file.path.lastIndexOf('/') + 1), file]))
  return messages.filter(isPrompt).flatMap((message) => {
    const names = new Set([...messageText(message).matchAll(PASTED)].map(([, name]) => name ?? ''))
    const recorded = message.content.filter((part) => part.kind === 'image').length
    if (recorded >= names.size) return []
    return [...names].map((name) => ({
      name,
      messageKey: message.key,
      file: byName.get(name) ?? null,
    }))
  })
}

function isPrompt({ origin, copyOf }: Message): boolean {
  return origin === 'human' && copyOf === null
}
