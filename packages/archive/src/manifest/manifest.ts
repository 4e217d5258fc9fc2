import { z } from 'zod'
import { type Recipe, recipeBytes } from '../content/recipe.ts'
import { type AddedNote, addedChunk } from './added-chunk.ts'
import { type FileLabel, type Note, type TakenStamp, takenStampSchema } from './note.ts'

/** One content of a file. A log that only grew has one, that of now: all it was before is its beginning. */
export interface KeptVersion {
  sizeBytes: number
  recipe: Recipe
  firstSeen: string
  /** When it was last known to be the file's content; null: it still is, as far as is known. */
  replaced: string | null
}

export interface KeptFile {
  id: number
  /** Unique in the archive, as whoever keeps files calls it. */
  path: string
  label: FileLabel
  /** In order; the last one is what the file holds, or held when it was last seen. */
  versions: KeptVersion[]
  stamp: TakenStamp
  /** It grew, and only its ends were read again. */
  isAssumed: boolean
  lastSeen: string
  /** When it was found to be missing; null: it was there. */
  gone: string | null
}

const storedVersionSchema = z.object({
  sizeBytes: z.number(),
  recipe: z.string(),
  firstSeen: z.string(),
  replaced: z.string().nullable(),
})
export const storedFileSchema = z.object({
  id: z.number(),
  path: z.string(),
  label: z.record(z.string(), z.string().nullable()),
  versions: z.array(storedVersionSchema),
  stamp: takenStampSchema,
  isAssumed: z.boolean(),
  lastSeen: z.string(),
  gone: z.string().nullable(),
})
export type StoredFile = z.infer<typeof storedFileSchema>

const NO_STAMP: TakenStamp = { sizeBytes: -1, mtimeNs: '', ctimeNs: '', inode: '' }

/** What an archive holds, made of its notes. */
export class Manifest {
  readonly #byId = new Map<number, KeptFile>()
  readonly #byPath = new Map<string, KeptFile>()
  #lastId = 0
  /** When all files were looked at last. */
  lastLooked: string | null = null

  files(): IterableIterator<KeptFile> {
    return this.#byId.values()
  }

  find(path: string): KeptFile | null {
    return this.#byPath.get(path) ?? null
  }

  /** The highest number that a file was ever given. */
  get lastId(): number {
    return this.#lastId
  }

  /** A note about a file whose first note was lost to damage is about nothing. */
  apply(note: Note): void {
    if (note.kind === 'looked') this.#noteLook(note.at)
    else {
      // also of one whose first note was lost: its number is never given away again
      this.#lastId = Math.max(this.#lastId, note.file)
      if (note.kind === 'file') this.#keep(newFile(note.file, note.path, note.label))
      const file = this.#byId.get(note.file)
      if (file !== undefined) applyToFile(file, note)
    }
  }

  store(): StoredFile[] {
    return [...this.#byId.values()].map((file) => ({
      ...file,
      versions: file.versions.map((version) => ({ ...version, recipe: version.recipe.toString('base64') })),
    }))
  }

  restore(files: readonly StoredFile[]): void {
    for (const stored of files) {
      const versions = stored.versions.map((version) => ({
        ...version,
        recipe: Buffer.from(version.recipe, 'base64'),
      }))
      this.#keep({ ...stored, versions })
    }
  }

  #keep(file: KeptFile): void {
    this.#lastId = Math.max(this.#lastId, file.id)
    this.#byId.set(file.id, file)
    this.#byPath.set(file.path, file)
  }

  #noteLook(at: string): void {
    this.lastLooked = at
    for (const file of this.#byId.values()) if (file.gone === null) file.lastSeen = at
  }
}

/** Nothing of it is kept yet. */
export function newFile(id: number, path: string, label: FileLabel): KeptFile {
  return { id, path, label, versions: [], stamp: NO_STAMP, isAssumed: false, lastSeen: '', gone: null }
}

function applyToFile(file: KeptFile, note: Exclude<Note, { kind: 'looked' }>): void {
  switch (note.kind) {
    case 'file':
      break
    case 'label':
      file.label = note.label
      break
    case 'gone':
      file.gone = note.at
      file.lastSeen = note.lastSeen
      break
    case 'added':
      applyContent(file, asGrown(file, note))
      break
    default:
      applyContent(file, note)
  }
}

function asGrown({ stamp: { inode } }: KeptFile, note: AddedNote): ContentNote {
  const { file, at, sizeBytes, mtimeNs, isAssumed } = note
  const stamp = { sizeBytes, mtimeNs, ctimeNs: mtimeNs, inode }
  const recipe = addedChunk(note).recipe.toString('base64')
  return { kind: 'grown', file, at, sizeBytes, stamp, recipe, isAssumed }
}

type ContentNote = Extract<Note, { kind: 'version' | 'grown' | 'same' }>

function applyContent(file: KeptFile, note: ContentNote): void {
  const current = file.versions.at(-1)
  if (note.kind === 'version') {
    if (current !== undefined) current.replaced = file.lastSeen
    const recipe = Buffer.from(note.recipe, 'base64')
    file.versions.push({ sizeBytes: note.sizeBytes, recipe, firstSeen: note.at, replaced: null })
  } else if (note.kind === 'grown') {
    const recipe = Buffer.from(note.recipe, 'base64')
    if (current?.sizeBytes !== note.sizeBytes - recipeBytes(recipe)) {
      // A note between was lost to damage: it is read as a whole when it is seen again.
      file.stamp = NO_STAMP
      return
    }
    current.recipe = Buffer.concat([current.recipe, recipe])
    current.sizeBytes = note.sizeBytes
  }
  file.stamp = note.stamp
  file.isAssumed = note.kind === 'grown' && note.isAssumed
  file.lastSeen = note.at
  file.gone = null
}
