import { closeSync, openSync, readSync } from 'node:fs'
import { homedir } from 'node:os'
import { earliestTime, latestTime } from '../derive/messages.ts'
import { agentIds, linkSubagents, type SubagentLink } from '../derive/subagents.ts'
import { summarizeSession } from '../derive/summary.ts'
import type { PriceCall } from '../derive/sums.ts'
import type { Session } from '../model/message.ts'
import type { SessionSummary } from '../model/session-summary.ts'
import { READ_ONLY_FLAGS, SessionsError, TimeSlice } from './files.ts'
import { readPromptLogs, readSavedChats } from './loose.ts'
import { findHomes, type GeminiHome } from './scan/find-homes.ts'
import type { DiscoveredFile } from './scan/scan.ts'
import { readSessionGroup } from './session-file.ts'
import { type HomeSurvey, surveyHomes } from './survey.ts'

/**
 * The rows of every session of these Gemini folders, the most recently written first, with sub-agents linked to their parents. Reads every
 * file in full, but keeps no messages. Rejects only if a given Gemini folder does not exist.
 */
export async function listSessions(options: ReadOptions = {}): Promise<SessionSummary[]> {
  const links: SubagentLink[] = []
  for await (const { session, summary } of readSessions(options)) {
    links.push({
      summary,
      parentSessionId: session.parentSessionId,
      agentIds: agentIds(session.messages),
    })
  }
  return linkSubagents(links).sort(latestFirst)
}

function latestFirst(a: SessionSummary, b: SessionSummary): number {
  return (b.endTime ?? '').localeCompare(a.endTime ?? '') || a.key.localeCompare(b.key)
}

/** What to read. */
export interface ReadOptions {
  /**
   * Folders: each the one above `.gemini`, `.gemini` itself, or a copy of it with another name. Default: where Gemini CLI keeps its
   * sessions on this machine (`GEMINI_SESSIONS_DIR`, `GEMINI_CLI_HOME`, else `~/.gemini`).
   */
  homes?: readonly string[]
  /** Computes `summary.cost`. Without it no price is known: `usd` is null and every call counts as unpriced. */
  priceCall?: PriceCall
  /** Stops the reading between two sessions, and throws its reason. */
  signal?: AbortSignal
}

/** A session with its messages, and its summary row. */
export interface ReadSession {
  session: Session
  /** `parentKey`, `subagentKeys` and `withSubagents` depend on other sessions: `linkSubagents` sets them, `listSessions` includes them. */
  summary: SessionSummary
}

/**
 * Every session of these Gemini folders, one after the other: first those with session files, most recently begun or resumed first, then
 * those known only from `logs.json` and saved chats (`checkpoint-<tag>.json`). One group of files is in memory at a time. What cannot be
 * read is a session with `issues`; the only error is a given Gemini folder that does not exist.
 *
 * @throws SessionsError `no-home`
 */
export async function* readSessions(options: ReadOptions = {}): AsyncGenerator<ReadSession, void, undefined> {
  const priceCall = options.priceCall ?? (() => null)
  options.signal?.throwIfAborted()
  const survey = await surveyHomes(chooseHomes(options.homes ?? []))
  const projects = new Map(survey.projects.map(({ key, name, path }) => [key, { key, name, path }]))
  for await (const { session, projectKey } of readSurveyed(survey)) {
    const project = projects.get(projectKey) ?? { key: projectKey, name: '', path: null }
    yield { session, summary: summarizeSession(session, { project, priceCall }) }
    options.signal?.throwIfAborted()
  }
}

function chooseHomes(folders: readonly string[]): GeminiHome[] {
  const homes = findHomes({ homeArguments: folders, env: process.env, userHome: homedir() })
  const missing = homes.find(({ exists }) => !exists)
  if (folders.length === 0 || missing === undefined) return homes
  throw new SessionsError(
    'no-home',
    `There is no Gemini folder at ${missing.path}. ` +
      'Use the folder that contains .gemini, .gemini itself, or a copy with a folder tmp.',
  )
}

async function* readSurveyed({ scan, projects, groups }: HomeSurvey) {
  const knownIds = new Map<string, Set<string>>(projects.map(({ key }) => [key, new Set()]))
  for (const { projectKey, files, claims } of groups) {
    for (const session of (await readSessionGroup(files, { claims })).sort(newestFirst)) {
      knownIds.get(projectKey)?.add(session.sessionId)
      yield { session, projectKey }
    }
  }
  for (const { key, folders } of projects) {
    const places = scan.projects.filter(({ folder }) => folders.includes(folder))
    const sessions = [
      ...readPromptLogs(places, key, knownIds.get(key) ?? new Set()),
      ...readSavedChats(places, key),
    ]
    for (const session of sessions.sort(newestFirst)) yield { session, projectKey: key }
  }
}

function newestFirst(a: Session, b: Session): number {
  return (b.startTime ?? '').localeCompare(a.startTime ?? '') || a.key.localeCompare(b.key)
}

const FIRST_BYTES = 16 * 1024
/** Increasing, for files that end in long records. */
const TAIL_BYTES = [16 * 1024, 64 * 1024, 512 * 1024]
/** Shared by all files, as for heads. */
const tailBuffer = Buffer.allocUnsafeSlow(Math.max(...TAIL_BYTES))
const TIME_FIELDS = ['"timestamp":', '"lastUpdated":']
const TIME = /^\s*"(\d{4}-\d\d-\d\dT[\d:.]+Z)"/
/** Enough for a time after its field name. */
const TIME_BYTES = 64

/**
 * The latest time near the end of each file: nearly always that of its last message, without reading the rest. A file that is gone,
 * unreadable, or has no time there has no entry. Synchronous calls in slices, as for heads.
 */
export function readLastTimes(files: readonly DiscoveredFile[]): Promise<Map<DiscoveredFile, string>> {
  return readTimes(files, readLastTime)
}

/** The earliest time near the beginning of each file, including that of an imported message. */
export function readFirstTimes(files: readonly DiscoveredFile[]): Promise<Map<DiscoveredFile, string>> {
  return readTimes(files, readFirstTime)
}

async function readTimes(
  files: readonly DiscoveredFile[],
  read: (file: DiscoveredFile) => string | null,
): Promise<Map<DiscoveredFile, string>> {
  const times = new Map<DiscoveredFile, string>()
  const slice = new TimeSlice()
  for (const file of files) {
    if (slice.isOver()) await slice.next()
    try {
      const time = read(file)
      if (time !== null) times.set(file, time)
    } catch {
      // Reading the whole file reports the reason.
    }
  }
  return times
}

function readFirstTime({ absolutePath }: DiscoveredFile): string | null {
  const descriptor = openSync(absolutePath, READ_ONLY_FLAGS)
  try {
    const bytesRead = readSync(descriptor, tailBuffer, 0, FIRST_BYTES, 0)
    return earliestTime([...timesIn(tailBuffer.subarray(0, bytesRead))])
  } finally {
    closeSync(descriptor)
  }
}

function readLastTime({ absolutePath, sizeBytes }: DiscoveredFile): string | null {
  const descriptor = openSync(absolutePath, READ_ONLY_FLAGS)
  try {
    for (const tailBytes of TAIL_BYTES) {
      const time = lastTimeIn(descriptor, Math.min(tailBytes, sizeBytes), sizeBytes)
      if (time !== null || tailBytes >= sizeBytes) return time
    }
    return null
  } finally {
    closeSync(descriptor)
  }
}

function lastTimeIn(descriptor: number, tailBytes: number, sizeBytes: number): string | null {
  const bytesRead = readSync(descriptor, tailBuffer, 0, tailBytes, sizeBytes - tailBytes)
  return latestTime([...timesIn(tailBuffer.subarray(0, bytesRead))])
}

/** Searches the bytes for field names: decoding all of them takes ten times as long. */
function* timesIn(bytes: Buffer): Generator<string | null> {
  for (const field of TIME_FIELDS) {
    for (let at = bytes.indexOf(field); at !== -1; at = bytes.indexOf(field, at + 1)) {
      const start = at + field.length
      yield TIME.exec(bytes.toString('latin1', start, start + TIME_BYTES))?.[1] ?? null
    }
  }
}
