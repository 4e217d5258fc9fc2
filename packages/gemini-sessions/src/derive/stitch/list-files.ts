import type { SessionFile } from '../../model/session-summary.ts'
import { comparePlace } from '../files/compare-place.ts'
import type { Conversation } from '../files/conversation.ts'
import { readSessionPath } from '../files/read-session-path.ts'
import type { StitchFile } from '../files/stitch-file.ts'
import type { SessionPart } from '../merge/session-part.ts'
import { toSessionFile } from './to-session-file.ts'

type Role = SessionFile['role']

const ROLE_ORDER: readonly Role[] = ['current', 'segment', 'twin', 'copy', 'stub', 'damaged']

/** The files of a session with their roles, the current one first. */
export function listFiles(conversation: Conversation, parts: readonly SessionPart[]): SessionFile[] {
  const last = parts.at(-1)?.current
  const all = [...conversation.parts.flat(), ...conversation.stubs].sort(comparePlace)
  const roles = new Map(all.map((file) => [file, roleOf(file, last, parts)]))
  return all
    .map((file) => toSessionFile(file, roles.get(file) ?? 'copy'))
    .sort((a, b) => ROLE_ORDER.indexOf(a.role) - ROLE_ORDER.indexOf(b.role))
}

function roleOf(file: StitchFile, last: StitchFile | undefined, parts: readonly SessionPart[]): Role {
  if (file.parsed.isDamaged) return 'damaged'
  if (readSessionPath(file.parsed.path).isBackup) return 'copy'
  if (file.parsed.isStub) return 'stub'
  if (file === last) return 'current'
  if (parts.some((part) => part.file === file.parsed.path && part.current.home === file.home))
    return 'segment'
  return parts.some((part) => isTwin(file, part.current)) ? 'twin' : 'copy'
}

/** The `.json` beside the `.jsonl` that a resume by 0.39+ made of it. */
function isTwin(a: StitchFile, b: StitchFile): boolean {
  const stemOf = ({ parsed }: StitchFile) => parsed.path.replace(/\.jsonl?$/, '')
  return a.home === b.home && a.parsed.format !== b.parsed.format && stemOf(a) === stemOf(b)
}
