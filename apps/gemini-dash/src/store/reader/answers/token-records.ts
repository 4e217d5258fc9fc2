import type { TokenRecord } from '@gemini-dash/api'
import type { Message, Session, TokenUsage } from 'gemini-sessions'
import { type DiscoveredFile, findTokenRows } from 'gemini-sessions/node'

/** All that the files of a session say of the tokens of one call, those of the file that decides the message last. */
export async function tokenRecords(
  session: Session,
  { id, usage, source }: Message,
  places: readonly DiscoveredFile[],
): Promise<TokenRecord[]> {
  if (id === '' || usage === null) return []
  const files = session.files.toSorted((one, other) => rankOf(one.path) - rankOf(other.path))
  const found: Omit<TokenRecord, 'isCounted'>[] = []
  for (const file of files) {
    // A file that went away meanwhile says nothing; the call's figures stand.
    const place = places.find(({ home, path }) => home === file.home && path === file.path)
    const rows = await findTokenRows(file, id, place?.absolutePath).catch(() => [])
    found.push(...rows.map((row) => ({ file: file.path, ...row })))
  }
  const counted = found.findLastIndex((record) => isSame(record.usage, usage))
  return found.map((record, index) => ({ ...record, isCounted: index === counted }))

  function rankOf(path: string): number {
    return path === source.file ? 1 : 0
  }
}

const FIELDS = ['input', 'cached', 'output', 'thoughts', 'tool', 'total'] as const

function isSame(one: TokenUsage, other: TokenUsage): boolean {
  return FIELDS.every((field) => one[field] === other[field])
}
