import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KeepStatus } from '@gemini-dash/api'
import { formatSize } from '@gemini-dash/api/figures'
import { type Archive, LimitReached } from '@gemini-dash/archive'
import type { KeepRun } from './keep-home.ts'
import type { KeepSetting } from './keep-settings.ts'

/** What the last run could not keep, in the archive's folder: of which kind, and the sentence. */
const PROBLEM_FILE = 'problem.txt'

export interface KeepProblem {
  kind: NonNullable<KeepStatus['hindrance']>
  text: string
}

/** Other processes are asked for the status, too. */
export function tellOthers(folder: string, problem: KeepProblem | null): void {
  try {
    if (problem === null) rmSync(join(folder, PROBLEM_FILE), { force: true })
    else writeFileSync(join(folder, PROBLEM_FILE), `${problem.kind}\n${problem.text}`, { mode: 0o600 })
  } catch {
    // On a full disk this process alone tells.
  }
}

export function toldBy(folder: string): KeepProblem | null {
  try {
    const [first = '', ...text] = readFileSync(join(folder, PROBLEM_FILE), 'utf8').split('\n')
    const kind = first === 'limit' || first === 'no-room' ? first : 'other'
    return text.length > 0 ? { kind, text: text.join('\n') } : null
  } catch {
    return null
  }
}

/** A disk that is full, or a limit that is reached: what stopped, what stays, what to do. */
export function describeHindrance(
  run: KeepRun,
  { folder }: Archive,
  { maxBytes }: KeepSetting,
): KeepProblem | null {
  const { hindrance } = run
  if (hindrance === null) return null
  if (hindrance instanceof LimitReached)
    return {
      kind: 'limit',
      text: `The archive holds ${formatSize(maxBytes ?? 0)}, as much as it may, and takes in no more; what it holds stays. "gemini-dash keep on --max-size 20GB" gives it more room.`,
    }
  const { code } = hindrance as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return {
      kind: 'no-room',
      text: `There is no room left on the disk of ${folder} (${code}): not everything could be kept; what was kept stays.`,
    }
  const reason = hindrance instanceof Error ? hindrance.message : String(hindrance)
  return { kind: 'other', text: `Not everything could be kept in ${folder}: ${reason}` }
}
