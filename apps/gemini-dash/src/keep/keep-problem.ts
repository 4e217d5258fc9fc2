import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { KeepStatus } from '@gemini-dash/api'
import { formatSize } from '@gemini-dash/api/figures'
import { type Archive, LimitReached } from '@gemini-dash/archive'
import { openTrustedFolder } from '@gemini-dash/session-index'
import type { KeepRun } from './keep-home.ts'
import type { KeepSetting } from './keep-settings.ts'

/** What the last run could not keep, in the archive's folder: of which kind, and the sentence. */
const PROBLEM_FILE = 'problem.txt'
/** Written before anything else is kept, so that a full disk has room for the sentence. */
const ROOM_BYTES = 4_096

export interface KeepProblem {
  kind: NonNullable<KeepStatus['hindrance']>
  text: string
}

/** Makes room for what `tellOthers` may have to say. @throws where there is none */
export function reserveProblem(folder: string): void {
  openTrustedFolder(join(folder, '..'))
  openTrustedFolder(folder)
  if (!existsSync(join(folder, PROBLEM_FILE))) write(folder, null)
}

/** Other processes are asked for the status, too. */
export function tellOthers(folder: string, problem: KeepProblem | null): void {
  try {
    write(folder, problem)
  } catch {
    // The folder is closed to us: this process alone tells.
  }
}

/** In its place: what is written anew may find no room. */
function write(folder: string, problem: KeepProblem | null): void {
  const text = Buffer.from(problem === null ? '' : `${problem.kind}\n${problem.text}`)
  const descriptor = openSync(join(folder, PROBLEM_FILE), constants.O_RDWR | constants.O_CREAT, 0o600)
  try {
    const content = Buffer.alloc(Math.max(ROOM_BYTES, text.length, fstatSync(descriptor).size), ' ')
    text.copy(content)
    writeSync(descriptor, content, 0, content.length, 0)
  } finally {
    closeSync(descriptor)
  }
}

export function toldBy(folder: string): KeepProblem | null {
  try {
    const [first = '', ...text] = readFileSync(join(folder, PROBLEM_FILE), 'utf8').trimEnd().split('\n')
    const kind = first === 'limit' || first === 'no-room' ? first : 'other'
    return text.length > 0 ? { kind, text: text.join('\n') } : null
  } catch {
    return null
  }
}

/** A disk that is full, or a limit that is reached: what stopped, what stays, what to do. */
export function describeHindrance(
  { hindrance }: Pick<KeepRun, 'hindrance'>,
  { folder }: Archive,
  { maxBytes }: KeepSetting,
): KeepProblem | null {
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
