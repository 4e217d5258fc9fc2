import { homedir } from 'node:os'
import { summarizeSession } from '../derive/summary/summarize-session.ts'
import type { PriceCall } from '../derive/sums/price-call.ts'
import type { Session } from '../model/session.ts'
import type { SessionSummary } from '../model/session-summary.ts'
import { SessionsError } from './files/sessions-error.ts'
import { readPromptLogs } from './loose/read-prompt-logs.ts'
import { readSavedChats } from './loose/read-saved-chats.ts'
import { findHomes, type GeminiHome } from './scan/find-homes.ts'
import { readSessionGroup } from './session-file/read-session-group.ts'
import { type HomeSurvey, surveyHomes } from './survey/survey-homes.ts'

/** What to read. */
export interface ReadOptions {
  /**
   * Folders: each the one above `.gemini`, `.gemini` itself, or a copy of it by another name. None named: where
   * Gemini CLI keeps its sessions on this machine (`GEMINI_SESSIONS_DIR`, `GEMINI_CLI_HOME`, else `~/.gemini`).
   */
  homes?: readonly string[]
  /** Gives `summary.cost`. Without it no price is known: `usd` is null and every call counts as unpriced. */
  priceCall?: PriceCall
  /** Ends the reading between two sessions: what it says is thrown. */
  signal?: AbortSignal
}

/** A session with its messages, and the row that sums it up. */
export interface ReadSession {
  session: Session
  /** `parentKey`, `subagentKeys` and `withSubagents` need the other sessions: `linkSubagents` fills them in, `listSessions` has them. */
  summary: SessionSummary
}

/**
 * Every session of these homes, one after the other: first those with session files, the one begun or resumed last
 * first, then what only `logs.json` and saved chats (`checkpoint-<tag>.json`) tell. One group of files is in memory at a time.
 * What cannot be read is a session with `issues`; the only error of its own is a named home that does not exist.
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
    `There is no Gemini home at ${missing.path}. ` +
      'Name the folder that holds .gemini, .gemini itself, or a copy of it that holds a folder tmp.',
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
