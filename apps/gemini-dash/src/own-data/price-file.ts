import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import {
  LIST_PRICES,
  type PriceOverrides,
  type ReadPrices,
  readPriceOverrides,
} from '@gemini-dash/pricing/overrides'
import { alone } from './alone.ts'
import { fileIdentity, writeWhole } from './list-file.ts'

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

/** Reads `prices.json` again whenever it changed. What is wrong with it is told once for each writing. */
export function openPriceFile(folder: string, tell: (message: string) => void): PriceBook {
  const file = join(folder, FILE_NAME)
  let lastRead = { identity: '', ...NO_FILE }

  function read(): ReadPrices {
    const identity = identityOf(file)
    if (identity === lastRead.identity) return lastRead
    const found = identity === '' ? NO_FILE : readFile(file)
    const problem = found.problem === null ? null : describe(file, found.problem)
    lastRead = { identity, prices: found.prices, problem }
    if (problem !== null) tell(problem)
    return lastRead
  }

  return {
    current: () => read().prices,
    problem: () => read().problem,
    update: (change) =>
      alone(folder, () => {
        // equal bytes of another moment may look the same
        lastRead = { ...lastRead, identity: 'another' }
        const { prices, problem } = read()
        if (problem !== null) throw new Error(problem)
        const text = `${JSON.stringify(change(prices), null, 2)}\n`
        const wrong = readPriceOverrides(text).problem
        if (wrong !== null) throw new Error(wrong)
        writeWhole(file, text)
      }),
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

/** A folder that cannot be looked into is told of like a file that cannot be read. */
function identityOf(file: string): string {
  try {
    return fileIdentity(file)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function readFile(file: string): ReadPrices {
  try {
    if (statSync(file).size > MAX_FILE_BYTES)
      return { prices: LIST_PRICES, problem: `it is larger than ${MAX_FILE_BYTES / 1024 / 1024} MB` }
    return readPriceOverrides(readFileSync(file, 'utf8'))
  } catch (error) {
    return { prices: LIST_PRICES, problem: error instanceof Error ? error.message : String(error) }
  }
}

function describe(file: string, problem: string): string {
  return `Your prices in ${file} are not used: ${problem}. List prices stand in until the file is mended.`
}
