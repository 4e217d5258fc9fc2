import type { AntigravitySession } from '@gemini-dash/antigravity-sessions'
import { billElsewhere, type Session } from 'gemini-sessions'
import type { ConversationCopies, IndexGroup } from '../contract.ts'

type LooseGroup = Required<Pick<IndexGroup, 'loose'>> & Pick<IndexGroup, 'claims'>

/**
 * The sessions in files that are not session files of Gemini CLI.
 *
 * @throws ReadFault if one of them cannot be read at the moment
 */
export async function readLooseGroup({ loose, claims }: LooseGroup): Promise<Session[]> {
  if (loose.kind !== 'conversation') return (await import('gemini-sessions/node')).readLooseSessions(loose)
  const session = await readPlaces(loose)
  return [billElsewhere(session, claims?.billed?.[session.key] ?? [])]
}

/** Of copies in several Gemini folders, the longest. */
async function readPlaces({ places }: ConversationCopies): Promise<Session> {
  const { folderRecords, readConversation } = await import('@gemini-dash/antigravity-sessions')
  const { ReadFault } = await import('gemini-sessions/node')
  const found: Session[] = []
  for (const place of places) {
    const { home, id, kept, keptDatabase } = place
    const databaseHome = keptDatabase?.root
    const reading = await readConversation(
      { home: kept?.root ?? home, id, databaseHome },
      folderRecords(home),
    )
    // What was known is still valid; it is read again later.
    if (reading.state === 'moving') throw new ReadFault(`antigravity-cli/conversations/${id}.db`, 'EBUSY')
    const session = toSession(reading.session)
    const files = session.files.map((file) => {
      const copy = (kept ?? (file.format === 'sqlite' ? keptDatabase : undefined))?.copy
      return { ...file, home, ...(copy && { kept: copy }) }
    })
    found.push({ ...session, files })
  }
  const [longest, ...others] = found.sort((a, b) => compare(b, a))
  if (longest === undefined) throw new Error('A conversation has a place.')
  const copies = others.map((other) => besideLongest(other, longest))
  return { ...longest, files: [longest.files, ...copies].flat() }
}

/** A copy in another Gemini folder, unless it has messages that the longest one lacks, which are not shown. */
function besideLongest({ files, messages }: Session, longest: Session): Session['files'] {
  const known = new Set(longest.messages.map(withoutPlace))
  const own = messages.filter((message) => !known.has(withoutPlace(message)))
  const [first] = own
  return files.map((file) =>
    first === undefined
      ? { ...file, role: 'copy' }
      : { ...file, role: 'part', own: { messages: own.length, firstKey: first.key } },
  )
}

function withoutPlace({ source, ...message }: Session['messages'][number]): string {
  return JSON.stringify(message)
}

function compare(a: Session, b: Session): number {
  return (a.lastUpdated ?? '').localeCompare(b.lastUpdated ?? '') || a.messages.length - b.messages.length
}

/** Fields that only this source has are stored elsewhere, or in the messages. */
function toSession(read: AntigravitySession): Session {
  const { title, titleSource, workspace, startedIds, models, artifacts, ...session } = read
  const drift = session.drift.map((note) => ({ ...note, where: 'step' as const }))
  return { ...session, ...titleOf(read), drift, projectHash: null, summary: null, fileKeys: [] }
}

function titleOf({
  title,
  titleSource,
  messages,
  files,
  sessionId,
}: AntigravitySession): Pick<Session, 'ownTitle'> {
  if (title !== null) return { ownTitle: { title, titleSource } }
  if (messages.length > 0) return {}
  const path = files[0]?.path ?? `${sessionId}.pb`
  return { ownTitle: { title: path.slice(path.lastIndexOf('/') + 1), titleSource: 'file' } }
}
