import type { Message, Session } from 'gemini-sessions'
import type { FilePart, PutAsideTexts, SavedTexts } from 'gemini-sessions/node'
import { ChangedFileError } from '../place/changed-file-error.ts'

export interface FileOnShelf {
  /** As messages name it. */
  path: string
  texts: PutAsideTexts
}

/** The same for another run. */
export interface SavedFile extends Omit<FileOnShelf, 'texts'> {
  texts: SavedTexts
}

/** The sessions of a source as they were read last. Their large texts are still in the files. */
export class ShelvedSessions {
  readonly sessions: readonly Session[]
  readonly #files: readonly FileOnShelf[]

  constructor(sessions: readonly Session[], files: readonly FileOnShelf[]) {
    this.sessions = sessions
    this.#files = files
  }

  /** About how many bytes are not held. */
  get putAsideLength(): number {
    return this.#files.reduce((sum, { texts }) => sum + texts.length, 0)
  }

  saveFiles(): SavedFile[] {
    return this.#files.map(({ path, texts }) => ({ path, texts: texts.save() }))
  }

  /** @throws ChangedFileError */
  async restore(messages: readonly Message[]): Promise<Message[]> {
    let restored = [...messages]
    for (const { texts } of this.#files) restored = present(await texts.restore(restored))
    return restored
  }

  /**
   * The bytes that hold a message's record, or where so many stand that they are not held. undefined: of no file, as with sessions known from a prompt log.
   *
   * @throws ChangedFileError
   */
  async readRecord({ source }: Message): Promise<Uint8Array | FilePart | undefined> {
    const file = this.#files.find(({ path }) => path === source.file)
    return file === undefined ? undefined : present(await file.texts.readRecord(source))
  }
}

function present<T>(value: T | null): T {
  if (value === null) throw new ChangedFileError('A session file was rewritten while it was read.')
  return value
}
