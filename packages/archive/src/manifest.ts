import { createHash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { z } from 'zod'
import { type Recipe, recipeBytes, toRecipe } from './content.ts'
import { isSealedBy, RECORD_KINDS, type RecordHead } from './pack.ts'

/** One content of a file. A log that only grew has one, the current one: its earlier states are prefixes. */
export interface KeptVersion {
  sizeBytes: number
  recipe: Recipe
  firstSeen: string
  /** When it was last known to be the file's content; null: as far as known, it still is. */
  replaced: string | null
  /** When a repair found that it cannot be restored; null: never. */
  lost: string | null
}

export interface KeptFile {
  id: number
  /** Unique in the archive; chosen by the caller. */
  path: string
  label: FileLabel
  /** In order; the last one is the file's current content, or that when it was last seen. */
  versions: KeptVersion[]
  stamp: TakenStamp
  /** It grew, and only its ends were verified. */
  isAssumed: boolean
  lastSeen: string
  /** When it was found missing; null: it existed. */
  gone: string | null
}

const NO_STAMP: TakenStamp = { sizeBytes: -1, mtimeNs: '', ctimeNs: '', inode: '' }

/** Contents of an archive, computed from its notes. */
export class Manifest {
  readonly #byId = new Map<number, KeptFile>()
  readonly #byPath = new Map<string, KeptFile>()
  #lastId = 0
  /** When all files were last scanned. */
  lastLooked: string | null = null
  /** Damaged places in packs from which a repair has saved everything possible. */
  repaired: ReadonlySet<string> = new Set()

  files(): IterableIterator<KeptFile> {
    return this.#byId.values()
  }

  find(path: string): KeptFile | null {
    return this.#byPath.get(path) ?? null
  }

  /** The highest file number ever assigned. */
  get lastId(): number {
    return this.#lastId
  }

  /** Ignores a note about a file whose first note was lost to damage. */
  apply(note: Note): void {
    if (note.kind === 'looked') this.#noteLook(note.at)
    else if (note.kind === 'repaired') this.repaired = new Set(note.places)
    else if (note.kind === 'restored') this.restore([note.kept])
    else if (note.kind !== 'pack') {
      // even if its first note was lost: its number is never assigned again
      this.#lastId = Math.max(this.#lastId, note.file)
      if (note.kind === 'file') this.#keep(newFile(note.file, note.path, note.label))
      const file = this.#byId.get(note.file)
      if (file !== undefined) applyToFile(file, note)
    }
  }

  store(): StoredFile[] {
    return [...this.#byId.values()].map(storeFile)
  }

  /** Forgets these files. */
  drop(ids: ReadonlySet<number>): void {
    for (const [id, { path }] of this.#byId) {
      if (!ids.has(id)) continue
      this.#byId.delete(id)
      if (this.#byPath.get(path)?.id === id) this.#byPath.delete(path)
    }
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

export function storeFile(file: KeptFile): StoredFile {
  return {
    ...file,
    versions: file.versions.map((version) => ({ ...version, recipe: version.recipe.toString('base64') })),
  }
}

/** Nothing of it is archived yet. */
export function newFile(id: number, path: string, label: FileLabel): KeptFile {
  return { id, path, label, versions: [], stamp: NO_STAMP, isAssumed: false, lastSeen: '', gone: null }
}

function applyToFile(
  file: KeptFile,
  note: Exclude<Note, { kind: 'looked' | 'repaired' | 'restored' | 'pack' }>,
): void {
  switch (note.kind) {
    case 'file':
      break
    case 'label':
      file.label = note.label
      break
    case 'lost':
      for (const number of note.versions) noteLost(file.versions[number], note.at)
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

function noteLost(version: KeptVersion | undefined, at: string): void {
  if (version !== undefined) version.lost ??= at
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
    file.versions.push({ sizeBytes: note.sizeBytes, recipe, firstSeen: note.at, replaced: null, lost: null })
  } else if (note.kind === 'grown') {
    const recipe = Buffer.from(note.recipe, 'base64')
    if (current?.sizeBytes !== note.sizeBytes - recipeBytes(recipe)) {
      // A note in between was lost to damage: the file is read completely when it is seen again.
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

export type AddedNote = Extract<Note, { kind: 'added' }>

/** Text in the note itself is a chunk like any other. */
export function addedChunk({ text }: Pick<AddedNote, 'text'>): {
  bytes: Buffer
  hash: string
  recipe: Recipe
} {
  const bytes = Buffer.from(text)
  const hash = createHash('sha256').update(bytes).digest('binary')
  return { bytes, hash, recipe: toRecipe([{ hash, sizeBytes: bytes.length }]) }
}

/** Identifies a state of a file: equal stamps mean that nothing has changed. */
const takenStampSchema = z.object({
  sizeBytes: z.number(),
  mtimeNs: z.string(),
  ctimeNs: z.string(),
  inode: z.string(),
})
export type TakenStamp = z.infer<typeof takenStampSchema>

/** The caller's data about a file: opaque to the archive. */
const fileLabelSchema = z.record(z.string(), z.string().nullable())
export type FileLabel = z.infer<typeof fileLabelSchema>

const base64 = z.string()

const storedVersionSchema = z.object({
  sizeBytes: z.number(),
  recipe: base64,
  firstSeen: z.string(),
  replaced: z.string().nullable(),
  lost: z.string().nullable().default(null),
})
/** Everything known of a file. */
export const storedFileSchema = z.object({
  id: z.number(),
  path: z.string(),
  label: fileLabelSchema,
  versions: z.array(storedVersionSchema),
  stamp: takenStampSchema,
  isAssumed: z.boolean(),
  lastSeen: z.string(),
  gone: z.string().nullable(),
})
type StoredFile = z.infer<typeof storedFileSchema>
const file = z.number()
const at = z.string()

/** One event. The manifest is computed from all notes of an archive, in order. */
const noteSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('file'), file, path: z.string(), label: fileLabelSchema }),
  z.object({ kind: z.literal('label'), file, label: fileLabelSchema }),
  /** A content the file never had before. */
  z.object({
    kind: z.literal('version'),
    file,
    at,
    sizeBytes: z.number(),
    stamp: takenStampSchema,
    recipe: base64,
  }),
  /** The previous content, with more appended. `recipe`: of the appended part. */
  z.object({
    kind: z.literal('grown'),
    file,
    at,
    sizeBytes: z.number(),
    stamp: takenStampSchema,
    recipe: base64,
    /** Of the previous content, only the ends were verified. */
    isAssumed: z.boolean(),
  }),
  /** The previous content, with a little appended, which is stored in this note: stored separately it would take several times its size. */
  z.object({
    kind: z.literal('added'),
    file,
    at,
    sizeBytes: z.number(),
    mtimeNs: z.string(),
    text: z.string(),
    isAssumed: z.boolean(),
  }),
  /** The same content with another stamp, or fully read after it was only assumed. */
  z.object({ kind: z.literal('same'), file, at, stamp: takenStampSchema }),
  /** The file is missing. */
  z.object({ kind: z.literal('gone'), file, at, lastSeen: at }),
  /** All files were scanned: those that are not gone existed. */
  z.object({ kind: z.literal('looked'), at }),
  /** These versions, by their index in the file's list, can no longer be restored. */
  z.object({ kind: z.literal('lost'), file, versions: z.array(z.number()), at }),
  /** The state of a file, replacing earlier notes, some of which were damaged. */
  z.object({ kind: z.literal('restored'), file, kept: storedFileSchema }),
  /** The first note in a pack: identifies it, whatever its file is called. Missing in older packs. */
  z.object({ kind: z.literal('pack'), pack: z.number(), id: z.string() }),
  /** A repair saved what was left at these damaged places of packs. Replaces earlier lists. */
  z.object({ kind: z.literal('repaired'), at, places: z.array(z.string()) }),
])
export type Note = z.infer<typeof noteSchema>

/** The beginning of a pack: its name or, in older packs, the seal of its first record. */
export interface PackBeginning {
  name: string
  /** Number of the pack; null: unknown, and two packs may have the same beginning. */
  pack: number | null
}

export function readBeginning(head: RecordHead, stored: Buffer): PackBeginning {
  const isName =
    head.kind === RECORD_KINDS.notes && head.storedBytes <= stored.length && isSealedBy(head, stored)
  const [note] = isName ? unpackNotes(stored) : []
  if (note?.kind === 'pack') return { name: note.id, pack: note.pack }
  return { name: head.seal.toString('hex'), pack: null }
}

/**
 * Deflate dictionary with what notes have in common, so that a note about a log that grew by a line is no longer than the line. Part of the
 * format: notes refer to it from its end. Words may be prepended, nothing else may ever change.
 */
const COMMON_WORDS = Buffer.from(
  '[{"kind":"added","file":1,"at":"2026-11-2T1","sizeBytes":1,"mtimeNs":"17","text":"{\\"id\\":\\"' +
    '\\",\\"timestamp\\":\\"2026-","type\\":\\"gemini\\",\\"content\\":\\"","type\\":\\"user\\",\\"content\\":[{\\"text\\":\\"' +
    '{\\"$set\\":{\\"lastUpdated\\":\\"2026-\\"}}\\n","isAssumed":true},{"kind":"looked","at":"2026-' +
    '[{"kind":"file","file":1,"path":"tmp/","label":{"kind":"session","sessionId":null}},{"kind":"version","file":1,"at":"' +
    '{"kind":"gone","lastSeen":"{"kind":"same"{"kind":"looked","at":"000Z"}][{"kind":"grown","file":1,"at":"20' +
    '","sizeBytes":1,"stamp":{"sizeBytes":1,"mtimeNs":"17","ctimeNs":"17","inode":"1"},"recipe":"AA==","isAssumed":true}]',
)
/** Far more than any run notes at once. */
const MAX_NOTES_BYTES = 256 * 1024 * 1024

export function packNotes(notes: readonly Note[]): { rawBytes: number; stored: Buffer } {
  const json = Buffer.from(JSON.stringify(notes))
  return { rawBytes: json.length, stored: deflateRawSync(json, { dictionary: COMMON_WORDS }) }
}

/** Notes of kinds added later are skipped. */
export function unpackNotes(stored: Uint8Array): Note[] {
  const json = inflateRawSync(stored, { dictionary: COMMON_WORDS, maxOutputLength: MAX_NOTES_BYTES })
  return z
    .array(z.unknown())
    .parse(JSON.parse(json.toString()))
    .flatMap((written) => noteSchema.safeParse(written).data ?? [])
}
