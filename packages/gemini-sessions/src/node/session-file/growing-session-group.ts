import type { StitchFile } from '../../derive/files/stitch-file.ts'
import type { GroupClaims } from '../../derive/identity/assign-keys.ts'
import { stitchGroup } from '../../derive/stitch/stitch-group.ts'
import type { Message } from '../../model/message.ts'
import type { Session } from '../../model/session.ts'
import { SessionsError } from '../files/sessions-error.ts'
import type { DiscoveredFile } from '../scan/scan.ts'
import type { PutAsideTexts } from '../texts/put-aside-texts.ts'
import { type GrowingFileOptions, GrowingSessionFile } from './growing-session-file.ts'
import { toStitchFile } from './read-session-group.ts'

/**
 * The files of one group (see `groupFiles`) that are read again and again while some of them grow. What `read` answers
 * equals `readSessionGroup` at any time. One reading at a time.
 */
export class GrowingSessionGroup {
  readonly #options: GrowingFileOptions & { isReadOnce?: boolean }
  /** By absolute path. */
  #readers = new Map<string, GrowingSessionFile>()
  #putAside: { path: string; texts: PutAsideTexts }[] = []

  /** `isReadOnce`: nothing is kept for reading on. */
  constructor(options: GrowingFileOptions & { isReadOnce?: boolean } = {}) {
    this.#options = options
  }

  /** What the last `read` left in the files, by their path. */
  get putAside(): readonly { path: string; texts: PutAsideTexts }[] {
    return this.#putAside
  }

  async read(files: readonly DiscoveredFile[], claims?: GroupClaims): Promise<Session[]> {
    const readers = new Map<string, GrowingSessionFile>()
    const read: StitchFile[] = []
    this.#putAside = []
    for (const file of files) {
      const reader = this.#readers.get(file.absolutePath) ?? new GrowingSessionFile(this.#options)
      readers.set(file.absolutePath, reader)
      const parsed = await reader.read(file)
      if (parsed === null) continue
      read.push(toStitchFile(file, parsed))
      this.#putAside.push({ path: file.path, texts: reader.putAside })
    }
    // What belonged to files that are gone goes with them.
    this.#readers = this.#options.isReadOnce ? new Map() : readers
    return stitchGroup(read, claims)
  }

  /**
   * Messages of the last `read` with all their texts.
   *
   * @throws SessionsError `file-changed` where a file was rewritten since
   */
  async restore(messages: readonly Message[]): Promise<Message[]> {
    let restored = [...messages]
    for (const { path, texts } of this.#putAside) {
      const filled = await texts.restore(restored)
      if (filled === null)
        throw new SessionsError('file-changed', `${path} was rewritten while it was read. Read it again.`)
      restored = filled
    }
    return restored
  }
}
