import type { z } from 'zod'
import { jsonErrorOffset } from './json-error-offset.ts'
import { LIST_PRICES, type PriceOverrides, priceOverridesSchema } from './price-overrides.ts'

export interface ReadPrices {
  prices: PriceOverrides
  /** What is wrong with the text, and where; list prices stand in for all of it. */
  problem: string | null
}

/** Reads the text of `prices.json`. Whoever wrote a price wants it used as a whole: no half of a wrong file is taken. */
export function readPriceOverrides(text: string): ReadPrices {
  const json = text.replace(/^\uFEFF/, '')
  let content: unknown
  try {
    content = JSON.parse(json)
  } catch {
    return wrong(`it is no JSON: ${placeOf(json)}`)
  }
  const { data, error } = priceOverridesSchema.safeParse(content)
  if (data === undefined) return wrong(isOfLaterVersion(content) ? LATER : explain(error))
  return { prices: data, problem: null }
}

const LATER = 'it was written for a later version of gemini-dash'

function wrong(problem: string): ReadPrices {
  return { prices: LIST_PRICES, problem }
}

function placeOf(text: string): string {
  if (text.trim() === '') return 'the file is empty'
  const offset = jsonErrorOffset(text)
  if (offset === text.length) return 'it ends too early'
  const before = text.slice(0, offset).split('\n')
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`
}

function isOfLaterVersion(content: unknown): boolean {
  if (typeof content !== 'object' || content === null || !('version' in content)) return false
  return typeof content.version === 'number' && content.version > 1
}

/** The first thing that is wrong, with its place; how many more there are. */
function explain(error: z.ZodError): string {
  const [first] = error.issues
  if (first === undefined) return 'its content is not understood'
  const more = error.issues.length > 1 ? ` (and ${error.issues.length - 1} more)` : ''
  return `${nameOf(first.path)}: ${first.message}${more}`
}

function nameOf(path: readonly PropertyKey[]): string {
  const name = path.reduce<string>((whole, step) => {
    if (typeof step === 'number') return `${whole}[${step}]`
    if (typeof step === 'string' && /^[A-Za-z]\w*$/.test(step))
      return whole === '' ? step : `${whole}.${step}`
    return `${whole}[${JSON.stringify(String(step))}]`
  }, '')
  return name === '' ? 'the file' : name
}
