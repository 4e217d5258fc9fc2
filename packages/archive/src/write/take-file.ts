import { createHash } from 'node:crypto'
import { type BigIntStats, fstatSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { type Recipe, type RecipeEntry, readRecipe, toRecipe } from '../content/recipe.ts'
import { findChunkEnd, MAX_CHUNK_BYTES } from '../content/split-chunks.ts'
import type { AddedNote } from '../manifest/added-chunk.ts'
import type { KeptFile } from '../manifest/manifest.ts'
import type { Note, TakenStamp } from '../manifest/note.ts'
import { readAt } from '../pack/scan-pack.ts'
import type { ArchiveWriter } from './archive-writer.ts'

const WINDOW_BYTES = 1024 * 1024
/** Of a log that grew, so much of what was its end is read again. */
const PROVEN_END_BYTES = 64 * 1024
/** Of what a log grew by, so much stands in its note; more takes less when it is compressed with a bundle. */
const MOST_ADDED_BYTES = 2 * 1024
/** A file that is being written while it is read. */
const MOST_ATTEMPTS = 3
/** The event loop is let in after so much. */
const BREATH_BYTES = 8 * 1024 * 1024

export interface OpenedSource {
  descriptor: number
  /** Lines are only ever appended to it. */
  isLog: boolean
}

/** What is to be noted of the file as it is now; null: it changed under the reading again and again. */
export async function takeFile(
  writer: ArchiveWriter,
  { descriptor, isLog }: OpenedSource,
  { file, isCertain }: { file: KeptFile; isCertain: boolean },
  at: string,
): Promise<Note | null> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const before = fstatSync(descriptor, { bigint: true })
    const taking = { writer, descriptor, isLog, sizeBytes: Number(before.size), file, at }
    const note = await takeContent(taking, toTakenStamp(before), isCertain)
    const after = fstatSync(descriptor, { bigint: true })
    if (isSameStamp(toTakenStamp(after), toTakenStamp(before))) return note
    // a little that grew on is read again at once
    if (note.kind !== 'added' && isLog && after.size >= before.size)
      return await withoutTornLine(taking, note)
  }
  return null
}

function toTakenStamp({ size, mtimeNs, ctimeNs, ino }: BigIntStats): TakenStamp {
  return { sizeBytes: Number(size), mtimeNs: String(mtimeNs), ctimeNs: String(ctimeNs), inode: String(ino) }
}

export function isSameStamp(one: TakenStamp, other: TakenStamp): boolean {
  return (
    one.sizeBytes === other.sizeBytes &&
    one.mtimeNs === other.mtimeNs &&
    one.ctimeNs === other.ctimeNs &&
    one.inode === other.inode
  )
}

interface Taking extends OpenedSource {
  writer: ArchiveWriter
  file: KeptFile
  sizeBytes: number
  at: string
}

async function takeContent(
  taking: Taking,
  stamp: TakenStamp,
  isCertain: boolean,
): Promise<ContentNote | AddedNote> {
  const { file, sizeBytes, at, isLog, descriptor } = taking
  const known = file.versions.at(-1)
  const { archive } = taking.writer
  if (known !== undefined && sizeBytes >= known.sizeBytes && archive.isWhole(known)) {
    const hasGrown = isLog && stamp.inode === file.stamp.inode && sizeBytes > known.sizeBytes
    const isAssumed = hasGrown && !isCertain
    if (isAssumed ? hasSameEnds(descriptor, known.recipe) : await hasSameStart(descriptor, known.recipe)) {
      if (sizeBytes === known.sizeBytes) return { kind: 'same', file: file.id, at, stamp }
      const added = hasGrown ? readAdded(taking, known.sizeBytes, stamp, isAssumed) : null
      if (added !== null) return added
      const recipe = toRecipe(await storeRange(taking, known.sizeBytes, sizeBytes))
      return {
        kind: 'grown',
        file: file.id,
        at,
        sizeBytes,
        stamp,
        recipe: recipe.toString('base64'),
        isAssumed,
      }
    }
  }
  const recipe = toRecipe(await storeRange(taking, 0, sizeBytes))
  if (known?.recipe.equals(recipe)) return { kind: 'same', file: file.id, at, stamp }
  return { kind: 'version', file: file.id, at, sizeBytes, stamp, recipe: recipe.toString('base64') }
}

type ContentNote = Extract<Note, { kind: 'version' | 'grown' | 'same' }>

/** null: it is more than a little, no text, or has another time than its note can say. */
function readAdded(
  { descriptor, file, at }: Taking,
  start: number,
  { sizeBytes, mtimeNs, ctimeNs }: TakenStamp,
  isAssumed: boolean,
): AddedNote | null {
  if (sizeBytes - start > MOST_ADDED_BYTES || ctimeNs !== mtimeNs) return null
  const bytes = readAt(descriptor, start, sizeBytes - start)
  if (bytes.length < sizeBytes - start) throw new ShrunkFile()
  const text = bytes.toString()
  return Buffer.from(text).equals(bytes)
    ? { kind: 'added', file: file.id, at, sizeBytes, mtimeNs, text, isAssumed }
    : null
}

/** Stores the chunks of a part of the file. @throws where it ends before that part does */
async function storeRange(
  { writer, descriptor }: Taking,
  start: number,
  end: number,
): Promise<RecipeEntry[]> {
  const entries: RecipeEntry[] = []
  let position = start
  let nextBreath = start + BREATH_BYTES
  while (position < end) {
    const length = Math.min(WINDOW_BYTES + MAX_CHUNK_BYTES, end - position)
    const bytes = readAt(descriptor, position, length)
    if (bytes.length < length) throw new ShrunkFile()
    const isLast = position + length === end
    let from = 0
    // the last chunk of a piece may go on in the next
    while (from < length && (isLast || length - from >= MAX_CHUNK_BYTES)) {
      const to = findChunkEnd(bytes, from, length)
      entries.push(await writer.addChunk(bytes.subarray(from, to)))
      from = to
    }
    position += from
    if (position < nextBreath) continue
    nextBreath = position + BREATH_BYTES
    await setImmediate()
  }
  return entries
}

/** It became smaller while it was read. */
export class ShrunkFile extends Error {}

/** Whether the file still begins with all that is known of it. */
async function hasSameStart(descriptor: number, recipe: Recipe): Promise<boolean> {
  let position = 0
  let nextBreath = BREATH_BYTES
  for (const entry of readRecipe(recipe)) {
    if (!holds(descriptor, position, entry)) return false
    position += entry.sizeBytes
    if (position < nextBreath) continue
    nextBreath = position + BREATH_BYTES
    await setImmediate()
  }
  return true
}

/** The first chunk, and the last ones. */
function hasSameEnds(descriptor: number, recipe: Recipe): boolean {
  const entries = readRecipe(recipe)
  const [first] = entries
  if (first !== undefined && !holds(descriptor, 0, first)) return false
  let position = entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const proven = position - PROVEN_END_BYTES
  for (const entry of entries.reverse()) {
    position -= entry.sizeBytes
    if (!holds(descriptor, position, entry)) return false
    if (position <= proven) return true
  }
  return true
}

function holds(descriptor: number, position: number, { hash, sizeBytes }: RecipeEntry): boolean {
  const bytes = readAt(descriptor, position, sizeBytes)
  return createHash('sha256').update(bytes).digest('binary') === hash
}

/** A log that grew while it was read: whole lines of it are kept, and the rest when it is seen next. */
async function withoutTornLine(taking: Taking, note: ContentNote): Promise<Note | null> {
  if (note.kind === 'same') return note
  const { descriptor, file, sizeBytes } = taking
  const start = note.kind === 'grown' ? (file.versions.at(-1)?.sizeBytes ?? 0) : 0
  const lineEnd = findLineEnd(descriptor, start, sizeBytes)
  if (lineEnd === null) return null
  const entries = readRecipe(Buffer.from(note.recipe, 'base64'))
  let end = start
  const whole = entries.filter(({ sizeBytes }) => {
    end += sizeBytes
    return end <= lineEnd
  })
  const wholeEnd = start + whole.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const last = await storeRange(taking, wholeEnd, lineEnd)
  const recipe = toRecipe([...whole, ...last]).toString('base64')
  // Nobody knows what else was done to it meanwhile, so it is read as a whole when it has come to rest.
  return { ...note, sizeBytes: lineEnd, recipe, ...(note.kind === 'grown' && { isAssumed: true }) }
}

/** Behind the last line that ends between the two; null: none does. */
function findLineEnd(descriptor: number, start: number, end: number): number | null {
  for (let to = end; to > start; to -= WINDOW_BYTES) {
    const from = Math.max(start, to - WINDOW_BYTES)
    const place = readAt(descriptor, from, to - from).lastIndexOf(0x0a)
    if (place !== -1) return from + place + 1
  }
  return null
}
