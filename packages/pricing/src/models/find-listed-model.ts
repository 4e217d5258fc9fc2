import { calcPrice, type MatchLogic, type ModelInfo, type ModelPrice } from '@pydantic/genai-prices'

export interface ListedModel {
  id: string
  match: 'name' | 'edition'
  price: ModelPrice
  /** The day from which the price holds; null: from the beginning. */
  since: string | null
}

/**
 * A dated, numbered or otherwise named edition that is billed as the model itself. What else may follow a name
 * (`-lite`, `-image`, `-exp`, a tuned model's name) means another price, or none.
 */
const EDITION = /^(?:-preview)?(?:-00\d|-\d{2}-(?:\d{2}|\d{4}))?(?:-customtools)?$|^-latest$/
/** `gemini-2.5-flash-001` is the first stable edition of `gemini-2.5-flash`. */
const STABLE_EDITION = /^(.*\d.*)-00\d$/

/**
 * A model in Google's part of the list and its price of a day; null where the list does not know it for certain. The list
 * matches generously by beginnings of names, so that `gemini-3.8-flash-lite` would get the price of `gemini-3.8-flash`.
 */
export function findListedModel(plainName: string, day: string): ListedModel | null {
  const found = lookUp(plainName, day)
  if (found !== null) {
    if (namesIn(found.model).includes(plainName)) return { ...found.listed, match: 'name' }
    const rest = plainName.startsWith(found.listed.id) ? plainName.slice(found.listed.id.length) : null
    // Nothing can be overcharged where a whole family has no price.
    const isFree = Object.keys(found.listed.price).length === 0
    return isFree || (rest !== null && EDITION.test(rest)) ? { ...found.listed, match: 'edition' } : null
  }
  const base = STABLE_EDITION.exec(plainName)?.[1]
  const listed = base === undefined ? null : findListedModel(base, day)
  return listed?.match === 'name' ? { ...listed, match: 'edition' } : null
}

function lookUp(name: string, day: string): { listed: Omit<ListedModel, 'match'>; model: ModelInfo } | null {
  try {
    const timestamp = new Date(`${day}T12:00:00Z`)
    const result = calcPrice({ input_tokens: 1 }, name, { providerId: 'google', timestamp })
    if (result === null) return null
    const { model, model_price: price } = result
    return { listed: { id: model.id, price, since: sinceOf(model, price) }, model }
  } catch {
    // The library throws on ids and data that it cannot handle; a record's odd model name must not end a page.
    return null
  }
}

function sinceOf({ prices }: ModelInfo, price: ModelPrice): string | null {
  if (!Array.isArray(prices)) return null
  const constraint = prices.find((candidate) => candidate.prices === price)?.constraint
  return constraint?.type === 'start_date' ? constraint.start_date : null
}

function namesIn({ id, match }: ModelInfo): string[] {
  return [id, ...leaves(match)]
}

function leaves(match: MatchLogic): string[] {
  if ('or' in match) return match.or.flatMap(leaves)
  if ('and' in match) return match.and.flatMap(leaves)
  return 'regex' in match ? [] : Object.values(match)
}
