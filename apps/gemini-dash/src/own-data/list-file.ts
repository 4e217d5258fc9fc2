import { join } from 'node:path'
import { z } from 'zod'
import { alone } from './data-folder.ts'
import type { KeptList } from './kept-list.ts'
import {
  copyOf,
  FORMAT_VERSION,
  type Found,
  fileIdentity,
  Hindrance,
  parseJson,
  putAside,
  readOwnFile,
  reasonOf,
  sumOf,
  type TellDataProblem,
  timeOfCopy,
  type Unreadable,
  withCopy,
  writeWhole,
} from './own-file.ts'

export interface ListFileOptions<Item> {
  /** The data folder; made when there is something to keep. */
  folder: string
  /** Also the name of the list in the file: `projects` in `projects.json`. */
  name: string
  item: z.ZodType<Item>
  /** For messages: `The names that you gave to projects`. */
  what: string
  tell: TellDataProblem
}

/** Thousands of entries with long paths; more is no file of ours. */
const MAX_FILE_BYTES = 16 * 1024 * 1024

/** Files of earlier versions, and those that a person edited, have no sum. */
const fileSchema = z.looseObject({ version: z.literal(FORMAT_VERSION), sum: z.string().optional() })
const laterFileSchema = z.looseObject({ version: z.int().min(FORMAT_VERSION + 1) })

type Read<Item> =
  | { kind: 'whole'; items: Item[] }
  | { kind: 'absent' }
  | { kind: 'damaged'; is: string }
  | { kind: 'later' }
  | Unreadable

/**
 * A list in a JSON file of the data folder, for this user only, with a checksum; `NAME.json.copy` holds the same. A damaged or
 * missing file is restored from its copy, and what was there is put aside, never overwritten. One of a later version is left
 * alone. Each of these is told.
 */
export function openListFile<Item>(options: ListFileOptions<Item>): KeptList<Item> {
  const { folder, name, what, tell } = options
  const file = join(folder, `${name}.json`)
  const hindrance = new Hindrance(file, tell)
  const parse = (found: Found) => parseList(found, options)
  /** `identity` null: it has to be looked at again. */
  let known: { identity: string | null; items: Item[] } | null = null

  function read(): Item[] {
    return known !== null && known.identity === fileIdentity(file) ? known.items : load(false)
  }

  /** `isAlone`: nobody else writes, so that damage can be repaired. */
  function load(isAlone: boolean): Item[] {
    const identity = fileIdentity(file)
    const found = parse(readOwnFile(file, MAX_FILE_BYTES))
    if (found.kind === 'whole') {
      hindrance.clear()
      return take(identity, found.items)
    }
    const copied = parse(readOwnFile(copyOf(file), MAX_FILE_BYTES))
    const spare = copied.kind === 'whole' ? copied.items : null
    if (found.kind === 'unreadable') {
      hindrance.setUnreadable(found, what)
      // nothing announces that it can be read again
      return take(null, known?.items ?? spare ?? [])
    }
    if (found.kind === 'later') {
      hindrance.setLater()
      return take(identity, spare ?? [])
    }
    if (found.kind === 'damaged' || spare !== null)
      return isAlone ? repair(found, spare) : loadAlone(identity, spare)
    hindrance.clear()
    return take(identity, [])
  }

  /** Somebody may have repaired it already. */
  function loadAlone(identity: string, spare: Item[] | null): Item[] {
    try {
      return alone(folder, () => load(true))
    } catch (error) {
      return goOnUnrepaired(identity, spare, error)
    }
  }

  function repair(found: Read<Item> & { kind: 'absent' | 'damaged' }, spare: Item[] | null): Item[] {
    const is = found.kind === 'absent' ? 'was missing' : found.is
    let aside: string | null = null
    const moveAside = () => {
      if (found.kind === 'damaged') aside = putAside(file)
    }
    try {
      const time = timeOfCopy(file)
      if (spare === null) moveAside()
      else writeWhole([file], toText(name, spare), moveAside)
      hindrance.clear()
      const kept = aside === null ? '' : ` The damaged file is kept as ${aside}.`
      const outcome =
        spare === null
          ? `${what} could not be read: ${file} ${is}, and there is no copy of it. What it said is lost.`
          : `${what}: ${file} ${is}, and was restored from its copy, written ${time}. Nothing older than that is lost.`
      tell(`${outcome}${kept}`, file, 'data-damaged')
      return take(fileIdentity(file), spare ?? [])
    } catch (error) {
      return goOnUnrepaired(fileIdentity(file), spare, error)
    }
  }

  function goOnUnrepaired(identity: string, spare: Item[] | null, error: unknown): Item[] {
    const used = spare === null ? '' : ' Its copy is used meanwhile.'
    hindrance.set(`${what} could not be read, and ${file} cannot be repaired: ${reasonOf(error)}.${used}`)
    return take(identity, spare ?? known?.items ?? [])
  }

  function take(identity: string | null, items: Item[]): Item[] {
    known = { identity, items }
    return items
  }

  return {
    read,
    update: (change) =>
      alone(folder, () => {
        const before = load(true)
        hindrance.expectNone()
        const items = change(before)
        if (items === before) return before
        writeWhole(withCopy(file), toText(name, items))
        return take(fileIdentity(file), items)
      }),
  }
}

function parseList<Item>(found: Found, { name, item }: ListFileOptions<Item>): Read<Item> {
  if (found.kind === 'misplaced') return { kind: 'damaged', is: `was ${found.is}` }
  if (found.kind !== 'file') return found
  const content = parseJson(found.bytes.toString('utf8'))
  if (laterFileSchema.safeParse(content).success) return { kind: 'later' }
  const {
    version: _version,
    sum,
    ...rest
  }: Record<string, unknown> = fileSchema.safeParse(content).data ?? {}
  const items = z.array(item).safeParse(rest[name]).data
  if (items === undefined)
    return { kind: 'damaged', is: found.bytes.length === 0 ? 'was empty' : 'was damaged' }
  return sum === undefined || sum === sumOf(rest)
    ? { kind: 'whole', items }
    : { kind: 'damaged', is: 'was damaged, or changed by another program' }
}

function toText<Item>(name: string, items: Item[]): string {
  const content = { [name]: items }
  return `${JSON.stringify({ version: FORMAT_VERSION, sum: sumOf(content), ...content }, null, 2)}\n`
}
