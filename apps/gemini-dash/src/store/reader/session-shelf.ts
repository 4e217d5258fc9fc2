import { type StitchFile, stitchGroup } from 'gemini-sessions'
import { GrowingSessionFile, readPromptLogs, readSavedChats } from 'gemini-sessions/node'
import type { GroupSource, NeighbourSource, SessionSource } from './session-source.ts'
import { type FileOnShelf, ShelvedSessions } from './shelved-sessions.ts'

/** What more than this is held of is not kept between two looks; the session looked at last always is. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024

interface Kept {
  fingerprint: string
  shelved: ShelvedSessions
  files: Map<string, GrowingSessionFile>
  /** About. */
  heldBytes: number
}

/** The sessions that were read last, ready for the next page. Grown logs are read on from where they ended. */
export class SessionShelf {
  readonly #kept = new Map<string, Kept>()
  /** The last reading of each source that is under way. */
  readonly #underWay = new Map<string, Promise<ShelvedSessions>>()

  /** One reading of a source at a time: two at once would move on in the same growing log. */
  async read(source: SessionSource): Promise<ShelvedSessions> {
    const before = this.#underWay.get(source.id) ?? Promise.resolve()
    const reading = before.catch(() => {}).then(() => this.#readNow(source))
    this.#underWay.set(source.id, reading)
    try {
      return await reading
    } finally {
      if (this.#underWay.get(source.id) === reading) this.#underWay.delete(source.id)
    }
  }

  /** What was read is no longer true, whatever the source's fingerprint says. */
  drop({ id }: SessionSource): void {
    this.#kept.delete(id)
  }

  async #readNow(source: SessionSource): Promise<ShelvedSessions> {
    const known = this.#kept.get(source.id)
    const current =
      known?.fingerprint === source.fingerprint
        ? known
        : await this.#readAgain(source, known?.files ?? new Map())
    // Set anew: the map's order is that of use.
    this.#kept.delete(source.id)
    this.#kept.set(source.id, current)
    this.#dropOldest()
    return current.shelved
  }

  async #readAgain(source: SessionSource, files: Map<string, GrowingSessionFile>): Promise<Kept> {
    const { fingerprint } = source
    if (source.kind === 'neighbours') {
      return { fingerprint, shelved: readNeighbours(source), files, heldBytes: 0 }
    }
    const shelved = await readGroup(source, files)
    const sizeBytes = source.files.reduce((sum, file) => sum + file.sizeBytes, 0)
    return { fingerprint, shelved, files, heldBytes: sizeBytes - shelved.putAsideLength }
  }

  #dropOldest(): void {
    let keptBytes = [...this.#kept.values()].reduce((sum, { heldBytes }) => sum + heldBytes, 0)
    for (const [id, { heldBytes }] of this.#kept) {
      if (keptBytes <= MAX_KEPT_BYTES || this.#kept.size === 1) return
      this.#kept.delete(id)
      keptBytes -= heldBytes
    }
  }
}

async function readGroup(
  source: GroupSource,
  readers: Map<string, GrowingSessionFile>,
): Promise<ShelvedSessions> {
  const files: StitchFile[] = []
  const putAside: FileOnShelf[] = []
  for (const file of source.files) {
    const reader = readers.get(file.absolutePath) ?? new GrowingSessionFile({ putsTextsAside: true })
    readers.set(file.absolutePath, reader)
    const parsed = await reader.read(file)
    if (parsed === null) continue
    files.push({ home: file.home, modifiedTime: new Date(file.mtimeMs).toISOString(), parsed })
    putAside.push({ path: file.path, texts: reader.putAside })
  }
  return new ShelvedSessions(stitchGroup(files), putAside)
}

function readNeighbours({ places, projectKey, knownIds }: NeighbourSource): ShelvedSessions {
  const sessions = [...readPromptLogs(places, new Set(knownIds)), ...readSavedChats(places, projectKey)]
  return new ShelvedSessions(sessions, [])
}
