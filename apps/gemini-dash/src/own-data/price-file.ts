import { rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  LIST_PRICES,
  type PriceOverrides,
  type ReadPrices,
  readPriceOverrides,
} from '@gemini-dash/pricing/overrides'
import { alone } from './data-folder.ts'
import {
  copyOf,
  type Found,
  fileIdentity,
  Hindrance,
  readOwnFile,
  type TellDataProblem,
  withCopy,
  writeWhole,
} from './own-file.ts'

const FILE_NAME = 'prices.json'
/** Prices of thousands of models; more is no file of ours. */
const MAX_FILE_BYTES = 4 * 1024 * 1024
const NO_FILE: ReadPrices = { prices: LIST_PRICES, problem: null }

/** The prices that the user wrote down in the data folder, or chose on the settings page. */
export interface PriceBook {
  /** As the file is now. The same object for as long as nothing changed. */
  current(): PriceOverrides
  /** Why the file is not used; null if it is, or if there is none. */
  problem(): string | null
  /**
   * What they are from now on, of what they are: nobody else writes in between.
   * @throws if it could not be kept, or if the file says what cannot be read: then nothing has changed
   */
  update(change: (prices: PriceOverrides) => PriceOverrides): void
  /** Where they are kept; null: nowhere. */
  file: string | null
}

/**
 * Reads `prices.json` again whenever it changed. People write it by hand, so it has no checksum: where it is not what
 * `prices.json.copy` says this program used last, that is told, and it is used if it can be; what the copy said is then
 * `prices.json.before`. While the file cannot be used, the copy is.
 */
export function openPriceFile(folder: string, tell: TellDataProblem, { isReadOnly = false } = {}): PriceBook {
  const file = join(folder, FILE_NAME)
  const before = `${file}.before`
  const hindrance = new Hindrance(file, tell)
  /** `identity` null: it has to be looked at again. */
  let lastRead: ReadPrices & { identity: string | null } = { identity: null, ...NO_FILE }

  function read(): ReadPrices {
    const identity = fileIdentity(file)
    if (identity === lastRead.identity) return lastRead
    const found = readOwnFile(file, MAX_FILE_BYTES)
    const said = pricesOf(found)
    const copied = readOwnFile(copyOf(file), MAX_FILE_BYTES)
    if (said.problem === null) return use(identity, { found, said, copied })
    const spare = copied.kind === 'file' ? pricesOf(copied) : null
    const meanwhile = spare?.problem === null ? `What ${copyOf(file)} says is` : 'List prices are'
    const problem = `Your prices in ${file} are not used: ${said.problem}. ${meanwhile} used until the file is repaired.`
    if (found.kind === 'unreadable') hindrance.setUnreadable(found, 'Your prices')
    else hindrance.set(problem)
    // nothing announces that it can be read again
    lastRead = {
      identity: found.kind === 'unreadable' ? null : identity,
      prices: spare?.problem === null ? spare.prices : LIST_PRICES,
      problem,
    }
    return lastRead
  }

  function use(
    identity: string,
    { found, said, copied }: { found: Found; said: ReadPrices; copied: Found },
  ): ReadPrices {
    hindrance.clear()
    lastRead = { identity, prices: said.prices, problem: null }
    if (isSame(found, copied)) return lastRead
    // an update that was broken off
    const isOfBefore = isSame(found, readOwnFile(before, MAX_FILE_BYTES))
    const isNews = copied.kind === 'file' && (found.kind === 'absent' || !isOfBefore)
    const isKept = !isReadOnly && note(found, isNews ? copied.bytes : null)
    const kept = isKept ? before : copyOf(file)
    const what =
      found.kind === 'file'
        ? `${file} was changed outside gemini-dash, by you or by damage, and is used as it is.`
        : `${file} was deleted, so list prices are used.`
    if (isNews) tell(`${what} What it said before is kept as ${kept}.`, file, 'data-damaged')
    return lastRead
  }

  /** The copy says from now on what the file says. false: it could not be written, and this is told again. */
  function note(found: Found, old: Buffer | null): boolean {
    try {
      alone(folder, () => {
        if (old !== null) writeWhole([before], old)
        if (found.kind === 'file') writeWhole(withCopy(file).slice(0, -1), found.bytes)
        else rmSync(copyOf(file), { force: true, recursive: true })
      })
      return true
    } catch {
      return false
    }
  }

  return {
    current: () => read().prices,
    problem: () => read().problem,
    update(change) {
      // what was changed by hand until now is told before it is written over
      read()
      alone(folder, () => {
        const found = readOwnFile(file, MAX_FILE_BYTES)
        const { prices, problem } = pricesOf(found)
        if (problem !== null)
          throw new Error(`${file} cannot be used (${problem}): repair it, or move it away`)
        const text = `${JSON.stringify(change(prices), null, 2)}\n`
        const wrong = readPriceOverrides(text).problem
        if (wrong !== null) throw new Error(wrong)
        // first: where this is broken off, what the file says is known as no change by hand
        if (found.kind === 'file') writeWhole([before], found.bytes)
        writeWhole(withCopy(file), text)
      })
    },
    file,
  }
}

/** For homes without a data folder. */
export const LIST_PRICE_BOOK: PriceBook = {
  current: () => LIST_PRICES,
  problem: () => null,
  update: () => {
    throw new Error('there is no data folder')
  },
  file: null,
}

function pricesOf(found: Found): ReadPrices {
  if (found.kind === 'absent') return NO_FILE
  if (found.kind === 'file') return readPriceOverrides(found.bytes.toString('utf8'))
  const problem = found.kind === 'misplaced' ? `it is ${found.is}` : found.reason
  return { prices: LIST_PRICES, problem }
}

function isSame(one: Found, other: Found): boolean {
  if (one.kind !== 'file' || other.kind !== 'file') return one.kind === other.kind && one.kind === 'absent'
  return one.bytes.equals(other.bytes)
}
