import type { Health } from '@gemini-dash/api'
import { KNOWN_CLI_VERSION, type SessionSummary } from 'gemini-sessions'

/** With these the clean-up of Gemini CLI did what is written there (docs/decisions/clean-up.md), the oldest first. */
const CLEAN_UP_TRIED_WITH = ['0.47.0', '0.54.4', '0.61.0']
/** It writes logs of lines since. */
const FIRST_WITH_LOGS = '0.39.0'

/** The Gemini CLI that works in these homes, as far as is known. */
export interface CliVersions {
  /** null: none was found, or nobody looked. */
  installed: string | null
  /** The oldest version that can have written the newest of the files; null: any. */
  writtenBy: string | null
}

/** Versions as Gemini CLI has them: `0.61.0`, `0.62.0-preview.1`. */
export function isOlder(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split(/[-.+]/).slice(0, 3).map(Number))
  for (const [at, part] of (b ?? []).entries()) {
    const own = a?.[at] ?? 0
    if (own !== part) return own < part
  }
  return false
}

type Sessions = Iterable<{ summary: Pick<SessionSummary, 'files'> }>

/** What the files tell of the version that wrote them. */
export function writtenBy(sessions: Sessions): string | null {
  for (const { summary } of sessions)
    if (summary.files.some(({ format }) => format === 'jsonl')) return FIRST_WITH_LOGS
  return null
}

/** The installed one, unless the files show that another one is used. */
function versionInUse({ installed, writtenBy }: CliVersions): string | null {
  return installed !== null && writtenBy !== null && isOlder(installed, writtenBy) ? null : installed
}

/** Whether what a later version than this does has to be reckoned with. */
export function canBe({ installed, writtenBy }: CliVersions, version: string): boolean {
  const inUse = versionInUse({ installed, writtenBy })
  return inUse === null || !isOlder(inUse, version)
}

/** The version that is known, the one that is installed, and what follows. */
export function describeCli(found: Health['cli']['installed'], sessions: Sessions): Health['cli'] {
  const versions = { installed: found?.version ?? null, writtenBy: writtenBy(sessions) }
  return {
    known: KNOWN_CLI_VERSION,
    installed: found,
    writtenBy: versions.writtenBy,
    text: describeVersions(versions),
    byRules: byRules(versions),
  }
}

/** "By the rules of Gemini CLI 0.61", as a sentence about the clean-up begins; null: its rules were tried with what is installed. */
export function byRules(versions: CliVersions): string | null {
  const oldest = CLEAN_UP_TRIED_WITH.at(0) ?? ''
  const newest = CLEAN_UP_TRIED_WITH.at(-1) ?? ''
  const inUse = versionInUse(versions)
  if (inUse === null) return `By the rules of Gemini CLI ${newest.split('.').slice(0, 2).join('.')}`
  const by = `By the rules of Gemini CLI ${newest}`
  if (isOlder(newest, inUse)) return `${by} (yours is newer: ${inUse})`
  return isOlder(inUse, oldest) ? `${by} (yours is older: ${inUse})` : null
}

function describeVersions({ installed, writtenBy }: CliVersions): string {
  const known = `This program knows Gemini CLI up to ${KNOWN_CLI_VERSION}.`
  if (installed === null) return known
  if (isOlder(KNOWN_CLI_VERSION, installed))
    return `${known} Yours is newer: ${installed}. Look for a newer gemini-dash.`
  return writtenBy !== null && isOlder(installed, writtenBy)
    ? `${known} Installed is ${installed}, but ${writtenBy} or newer wrote the newest files.`
    : `${known} Installed is ${installed}.`
}
