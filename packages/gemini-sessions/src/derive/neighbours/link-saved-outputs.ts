import type { Message } from '../../model/message.ts'
import type { NeighbourFile, SavedOutput } from '../../model/neighbours.ts'
import type { ToolCall } from '../../model/tool-call.ts'
import { savedOutputMentions } from './saved-output-mentions.ts'
import { toSafeName } from './to-safe-name.ts'

/** A file that may hold a tool's output. */
export interface OutputFile {
  file: NeighbourFile
  /** Path below the project's folder. */
  place: string
  /** It lies in this session's own folder, so it is shown even if no call can be told. */
  isOwn: boolean
}

/** Shorter ids could begin the name of another call's file. */
const MIN_ID_LENGTH = 6

/**
 * Which calls have their whole output in a file: by the path that the result names, else by the file's name, which
 * the CLI makes of tool and call id. A path only picks among the files that were found; it is never opened as written.
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

/** The home may have been copied, the project's folder renamed since (0.29): only what lies below it must agree. */
function fileAt(path: string, byPlace: ReadonlyMap<string, OutputFile>): OutputFile | undefined {
  const names = path.split('/')
  for (const depth of [3, 2, 1]) {
    const entry = byPlace.get(names.slice(-depth).join('/'))
    if (entry !== undefined) return entry
  }
  return undefined
}

/**
 * `<tool>_<call id>.txt` (0.26+), without the tool where the id begins with it (0.29+), `<tool>_<call id>_<random>.txt`
 * (masked), `<call id>.output` (before 0.26): the longest id that a run of the name's words spells.
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
