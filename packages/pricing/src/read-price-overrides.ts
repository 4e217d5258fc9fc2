import type { z } from 'zod'
import { LIST_PRICES, type PriceOverrides, priceOverridesSchema } from './price-overrides.ts'

export interface ReadPrices {
  prices: PriceOverrides
  /** What is wrong with the text, and where; list prices are used instead of all of it. */
  problem: string | null
}

/** Parses `prices.json`. A file with an error is rejected as a whole rather than used in part. */
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

/** The first error with its location, and how many more there are. */
function explain(error: z.ZodError): string {
  const [first] = error.issues
  if (first === undefined) return 'its content is not understood'
  const more = error.issues.length > 1 ? ` (and ${error.issues.length - 1} more)` : ''
  return `${nameOf(first.path)}: ${describe(first)}${more}`
}

function describe(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.message.endsWith('received undefined')) return 'is missing'
      return KINDS[issue.expected] ?? issue.message
    case 'invalid_value':
      return `is not one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`
    case 'too_small':
      return `is less than ${issue.minimum}`
    case 'invalid_format':
      return 'is no day, which is written as 2026-01-31'
    default:
      return issue.message
  }
}

const KINDS: Readonly<Record<string, string>> = {
  number: 'is no number',
  string: 'is no text',
  object: 'is none of { "name": … }',
  record: 'is none of { "name": … }',
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

/**
 * Offset at which a text stops being JSON; its length if it is only incomplete. V8 includes the position only in some messages, so this
 * searches for the shortest prefix that is not merely incomplete.
 */
function jsonErrorOffset(text: string): number {
  let unfinished = 0
  let wrong = text.length + 1
  while (wrong - unfinished > 1) {
    const middle = Math.floor((unfinished + wrong) / 2)
    if (isUnfinished(text.slice(0, middle))) unfinished = middle
    else wrong = middle
  }
  return unfinished
}

function isUnfinished(beginning: string): boolean {
  try {
    JSON.parse(beginning)
    return true
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    if (/end of JSON input|Unterminated string|No number after/.test(message)) return true
    // What was expected after the last character may still follow.
    return new RegExp(`at position ${beginning.length}\\b`).test(message)
  }
}
