import { type Session, type StitchFile, stitchGroup } from 'gemini-sessions'
import { GrowingSessionFile, readPromptLogs, readSavedChats } from 'gemini-sessions/node'
import type { GroupSource, NeighbourSource, SessionSource } from './session-source.ts'

/** Files beyond this many bytes are not kept between two looks at them; the last one looked at always is. */
const MAX_KEPT_BYTES = 96 * 1024 * 1024

interface Kept {
  fingerprint: string
  sessions: Session[]
  files: Map<string, GrowingSessionFile>
  sizeBytes: number
}

/** The sessions that were read last, ready for the next page. Grown logs are read on from where they ended. */
export class SessionShelf {
  readonly #kept = new Map<string, Kept>()
  /** The last reading of each source that is under way. */
  readonly #underWay = new Map<string, Promise<Session[]>>()

  /** One reading of a source at a time: two at once would move on in the same growing log. */
  async read(source: SessionSource): Promise<Session[]> {
    const before = this.#underWay.get(source.id) ?? Promise.resolve([])
    const reading = before.catch(() => {}).then(() => this.#readNow(source))
    this.#underWay.set(source.id, reading)
    try {
      return await reading
    } finally {
      if (this.#underWay.get(source.id) === reading) this.#underWay.delete(source.id)
    }
  }

  async #readNow(source: SessionSource): Promise<Session[]> {
    const known = this.#kept.get(source.id)
    const current =
      known?.fingerprint === source.fingerprint
        ? known
        : await this.#readAgain(source, known?.files ?? new Map())
    // Set anew: the map's order is that of use.
    this.#kept.delete(source.id)
    this.#kept.set(source.id, current)
    this.#dropOldest()
    return current.sessions
  }

  async #readAgain(source: SessionSource, files: Map<string, GrowingSessionFile>): Promise<Kept> {
    const { fingerprint } = source
    if (source.kind === 'neighbours') {
      return { fingerprint, sessions: readNeighbours(source), files, sizeBytes: 0 }
    }
    const sizeBytes = source.files.reduce((sum, file) => sum + file.sizeBytes, 0)
    return { fingerprint, sessions: await readGroup(source, files), files, sizeBytes }
  }

  #dropOldest(): void {
    let keptBytes = [...this.#kept.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    for (const [id, { sizeBytes }] of this.#kept) {
      if (keptBytes <= MAX_KEPT_BYTES || this.#kept.size === 1) return
      this.#kept.delete(id)
      keptBytes -= sizeBytes
    }
  }
}

async function readGroup(source: GroupSource, readers: Map<string, GrowingSessionFile>): Promise<Session[]> {
  const files: StitchFile[] = []
  for (const file of source.files) {
    const reader = readers.get(file.absolutePath) ?? new GrowingSessionFile()
    readers.set(file.absolutePath, reader)
    const parsed = await reader.read(file)
    if (parsed === null) continue
    files.push({ home: file.home, modifiedTime: new Date(file.mtimeMs).toISOString(), parsed })
  }
  return stitchGroup(files)
}

function readNeighbours({ places, projectKey, knownIds }: NeighbourSource): Session[] {
  return [...readPromptLogs(places, new Set(knownIds)), ...readSavedChats(places, projectKey)]
}
