import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { KeepStatus } from '@gemini-dash/api'
import { formatSize } from '@gemini-dash/api/figures'
import { type Archive, LimitReached } from '@gemini-dash/archive'
import { openTrustedFolder } from '@gemini-dash/session-index'
import { z } from 'zod'
import { openLine, sealLine } from './gone-list.ts'
import type { KeepSetting } from './keep-home.ts'

/** What the last run could not archive, in the archive's folder. */
const PROBLEM_FILE = 'problem.txt'
/** Reserved before anything else is written, so that later messages fit on a full disk. */
const ROOM_BYTES = 2048

export interface KeepProblem {
  kind: NonNullable<KeepStatus['hindrance']>
  text: string
}

const recordedSchema = z.object({
  /** pending: no scan has ended yet. none: the last one archived everything. */
  kind: z.enum(['limit', 'no-room', 'other', 'pending', 'none']),
  text: z.string(),
})

const UNREADABLE: KeepProblem = {
  kind: 'other',
  text: 'The result of the last scan can’t be read. Scan again: "gemini-dash keep now".',
}
const PENDING: KeepProblem = {
  kind: 'other',
  text: 'No scan of these sessions has finished yet. Scan again: "gemini-dash keep now".',
}

/** Records that no scan has ended yet, until one has. @throws if there is no room for that */
export function expectLook(folder: string): void {
  openTrustedFolder(join(folder, '..'))
  openTrustedFolder(folder)
  if (!existsSync(join(folder, PROBLEM_FILE))) write(folder, { kind: 'pending', text: '' })
}

/** Other processes report the status, too. */
export function tellOthers(folder: string, problem: KeepProblem | null): void {
  try {
    write(folder, problem ?? { kind: 'none', text: '' })
  } catch {
    // Only this process reports it.
  }
}

/** `isLookedAt`: a scan is under way, or starts by itself. */
export function recordedProblem(folder: string, { isLookedAt }: { isLookedAt: boolean }): KeepProblem | null {
  const recorded = read(join(folder, PROBLEM_FILE))
  if (recorded?.kind === 'pending') return isLookedAt ? null : PENDING
  return recorded === null || recorded.kind === 'none' ? null : (recorded as KeepProblem)
}

/** Overwrites in place: a full disk has no room for another file. */
function write(folder: string, recorded: z.infer<typeof recordedSchema>): void {
  const path = join(folder, PROBLEM_FILE)
  const line = sealLine(recorded)
  const descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600)
  try {
    const sizeBytes = Math.max(ROOM_BYTES, line.length, fstatSync(descriptor).size)
    writeSync(descriptor, Buffer.concat([line, Buffer.alloc(sizeBytes - line.length, ' ')]), 0, sizeBytes, 0)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function read(path: string): z.infer<typeof recordedSchema> | null {
  let text = ''
  try {
    text = readFileSync(path, 'utf8').trimEnd()
    return recordedSchema.parse(openLine(Buffer.from(text)))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    return readEarlier(text) ?? UNREADABLE
  }
}

/** The format before it was sealed: the kind, then the sentence. */
function readEarlier(text: string): KeepProblem | null {
  const [kind, ...sentence] = text.split('\n')
  const isKnown = kind === 'limit' || kind === 'no-room' || kind === 'other'
  return isKnown && sentence.length > 0 ? { kind, text: sentence.join('\n') } : null
}

/** A full disk or a reached limit: what stopped, what stays, what to do. */
export function describeHindrance(
  hindrance: unknown,
  { folder }: Archive,
  { maxBytes }: KeepSetting,
): KeepProblem | null {
  if (hindrance === null) return null
  if (hindrance instanceof LimitReached)
    return {
      kind: 'limit',
      text: `The archive has reached its limit of ${formatSize(maxBytes ?? 0)} and adds nothing more. Archived sessions stay. To raise the limit: "gemini-dash keep on --max-size 20GB".`,
    }
  const { code } = hindrance as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return {
      kind: 'no-room',
      text: `There is no room left on the disk of ${folder} (${code}), so not everything could be archived. Archived sessions stay.`,
    }
  const reason = hindrance instanceof Error ? hindrance.message : String(hindrance)
  return { kind: 'other', text: `Not everything could be archived in ${folder}: ${reason}` }
}
