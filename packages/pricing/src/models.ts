import type { UnknownCostReason } from '@gemini-dash/api'
import {
  calcPrice,
  findProvider,
  type MatchLogic,
  type ModelInfo,
  type ModelPrice,
  type TieredPrices,
} from '@pydantic/genai-prices'
import { LIST_PRICES, type PriceOverrides, type UserPrice } from './price-overrides.ts'
import { PRICE_LIST } from './prices-stamp.ts'

/** The value in the CLI (0.61.0) for every Gemini model; the list rounds it to a million for some and has none for others. */
const GEMINI_WINDOW_TOKENS = 1_048_576

/** Size of a model's context window in tokens; null if the price list does not have the model on that day. */
export function contextWindow(model: string, day: string): number | null {
  const listed = findListedModel(plainModelName(model), day)
  return listed !== null && isConversationModel(listed.id) ? GEMINI_WINDOW_TOKENS : null
}

interface ListedModel {
  id: string
  match: 'name' | 'edition'
  price: ModelPrice
  /** The first day of the price; null: no start. */
  since: string | null
}

/**
 * A dated, numbered or otherwise named edition that is billed as the model itself. Other suffixes (`-lite`, `-image`, `-exp`, a tuned
 * model's name) have another price, or none.
 */
const EDITION = /^(?:-preview)?(?:-00\d|-\d{2}-(?:\d{2}|\d{4}))?(?:-customtools)?$|^-latest$/
/** `gemini-2.5-flash-001` is the first stable edition of `gemini-2.5-flash`. */
const STABLE_EDITION = /^(.*\d.*)-00\d$/

/**
 * A model in Google's part of the list with its price on a day; null if uncertain. The list matches generously by prefix, so that
 * `gemini-3.8-flash-lite` would get the price of `gemini-3.8-flash`.
 */
function findListedModel(plainName: string, day: string): ListedModel | null {
  const found = lookUp(plainName, day)
  if (found !== null) {
    if (namesIn(found.model).includes(plainName)) return { ...found.listed, match: 'name' }
    const rest = plainName.startsWith(found.listed.id) ? plainName.slice(found.listed.id.length) : null
    // If the whole family has no price, nothing can be overcharged.
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
    // The library throws on ids and data it cannot handle; an odd model name in a record must not break a page.
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

/** Models for conversations. Models for images, speech or embeddings, and those before 2.0, are no alternatives. */
const CONVERSATION_MODEL = /^gemini-(?:[2-9]|\d\d)(?:\.\d+)?-(?:pro|flash|flash-lite)(?:-preview)?$/

/** The Gemini models in the price list that a session of the CLI could use. */
export function listModels(): string[] {
  const models = findProvider({ providerId: 'google' })?.models ?? []
  return models.map(({ id }) => id).filter(isConversationModel)
}

function isConversationModel(id: string): boolean {
  return CONVERSATION_MODEL.test(id)
}

/** Resource names of the Gemini API, Vertex AI and its OpenAI-compatible endpoint: `models/x`, `publishers/google/models/x`, `google/x`. */
const RESOURCE_PREFIX =
  /^(?:(?:(?:projects\/[^/]+\/locations\/[^/]+\/)?publishers\/google\/)?models\/|google\/)/

/** The thinking level after a label in Antigravity CLI: `Gemini 3.5 Flash (Medium)`. */
const LABEL_EFFORT = / \([^()]*\)$/
/** The same in Antigravity CLI's internal names: `claude-opus-4-6-thinking`. */
const NAME_EFFORT = /(?:-(?:thinking|low|medium|high))+$/

/** A model's name as in price lists, also from the label by which the user chose it. */
export function plainModelName(name: string): string {
  const plain = name.trim().toLowerCase().replace(RESOURCE_PREFIX, '')
  return plain.replace(LABEL_EFFORT, '').replaceAll(/\s+/g, '-')
}

/** The model without its thinking level, which does not affect the price. null: the name has none. */
function withoutEffort(plainName: string): string | null {
  const base = plainName.replace(NAME_EFFORT, '')
  return base === plainName ? null : base
}

/** Names with which the CLI (0.11 and later) lets a router choose; they do not contain the chosen model. */
function isRoutingName(plainName: string): boolean {
  return /^auto(?:-|$)/.test(plainName) || ['pro', 'flash', 'flash-lite'].includes(plainName)
}

/** USD per million tokens, for calls with more input tokens than `aboveInputTokens`; null if no price is known. */
export interface RateTier {
  aboveInputTokens: number
  input: number | null
  cached: number | null
  output: number | null
}

/** A price, and where it is from. */
export interface CallPrice {
  source: 'list' | 'user'
  /** Name and date of the list or file. */
  edition: string
  /** The first day of this price; null: no start. */
  since: string | null
  tiers: RateTier[]
}

/** What is known of a model's price on a day. Without `price`, `reason` gives the reason. */
interface FoundPrice {
  /** The name under which the price is listed. */
  priced: string | null
  price: CallPrice | null
  /** The list bills generated images, sound or video higher than text; a log does not record the type of output. */
  isOutputMixed?: boolean
  reason: UnknownCostReason | null
}

const LIST_EDITION = `${PRICE_LIST.name} ${PRICE_LIST.version} of ${PRICE_LIST.date}`
const USER_EDITION = 'prices.json'

/** Prices looked up so far, and the user's settings by plain names. A long history asks for the same ones often. */
interface Known {
  found: Map<string, FoundPrice>
  aliases: ReadonlyMap<string, string>
  models: ReadonlyMap<string, UserPrice>
}
const knownByPrices = new WeakMap<PriceOverrides, Known>()

/** The price of a model on a day (`2026-11-22`): the user's, else the list's; by the recorded name, else by its alias. */
export function findPrice(recorded: string, day: string, prices: PriceOverrides): FoundPrice {
  const known = knownOf(prices)
  const key = `${day}\n${recorded}`
  let found = known.found.get(key)
  if (found === undefined) {
    found = lookUpPrice(recorded, day, known)
    known.found.set(key, found)
  }
  return found
}

function knownOf(prices: PriceOverrides): Known {
  let known = knownByPrices.get(prices)
  if (known === undefined) {
    known = { found: new Map(), aliases: byPlainName(prices.aliases), models: byPlainName(prices.models) }
    knownByPrices.set(prices, known)
  }
  return known
}

function byPlainName<T>(values: Record<string, T>): Map<string, T> {
  return new Map(Object.entries(values).map(([name, value]) => [plainModelName(name), value]))
}

function lookUpPrice(recorded: string, day: string, known: Known): FoundPrice {
  const alias = known.aliases.get(plainModelName(recorded))
  const own = known.models.get(plainModelName(recorded))
  const isOwn = own !== undefined && holds(own, day)
  return priceOf(isOwn ? recorded : (alias ?? recorded), day, known)
}

function priceOf(name: string, day: string, known: Known): FoundPrice {
  const plainName = plainModelName(name)
  const own = known.models.get(plainName)
  if (own !== undefined && holds(own, day)) {
    const price = { edition: USER_EDITION, since: own.from ?? null, tiers: userTiers(own) }
    return { priced: plainName, price: { source: 'user', ...price }, reason: null }
  }
  const base = withoutEffort(plainName)
  const listed = findListedModel(plainName, day) ?? (base === null ? null : findListedModel(base, day))
  if (listed === null) {
    const reason = isRoutingName(plainName) ? 'routing-name' : 'unknown-model'
    return { priced: null, price: null, reason }
  }
  const { id: priced, since } = listed
  const tiers = listedTiers(listed.price)
  // Open-weight models are listed without any price: unknown, not free.
  if (tiers.every(({ input, output }) => input === null && output === null))
    return { priced, price: null, reason: 'unpriced-model' }
  const price = { source: 'list' as const, edition: LIST_EDITION, since, tiers }
  const isOutputMixed = MIXED_OUTPUT.some((rate) => rate in listed.price)
  return { priced, price, isOutputMixed, reason: null }
}

const MIXED_OUTPUT = ['output_image_mtok', 'output_audio_mtok', 'output_video_mtok']

function holds({ from }: UserPrice, day: string): boolean {
  return from === undefined || day >= from
}

/** The list's price by tiers, the lowest first. A tier starts with the first token above its start. */
function listedTiers({ input_mtok, cache_read_mtok, output_mtok }: ModelPrice): RateTier[] {
  const prices = [input_mtok, cache_read_mtok, output_mtok]
  const starts = new Set(
    prices.flatMap((price) => (isTiered(price) ? price.tiers.map(({ start }) => start) : [])),
  )
  return [0, ...[...starts].sort((a, b) => a - b)].map((aboveInputTokens) => {
    const input = rateAt(input_mtok, aboveInputTokens)
    // A model without a cache rate bills cached tokens as fresh ones.
    const cached = rateAt(cache_read_mtok, aboveInputTokens) ?? input
    return { aboveInputTokens, input, cached, output: rateAt(output_mtok, aboveInputTokens) }
  })
}

function userTiers({ tiers = [], ...base }: UserPrice): RateTier[] {
  return [{ ...base, aboveInputTokens: 0 }, ...tiers]
    .map(({ aboveInputTokens, inputPerMillion, cachedPerMillion, outputPerMillion }) => ({
      aboveInputTokens,
      input: inputPerMillion,
      cached: cachedPerMillion ?? inputPerMillion,
      output: outputPerMillion,
    }))
    .sort((a, b) => a.aboveInputTokens - b.aboveInputTokens)
}

function rateAt(price: ModelPrice[string], aboveInputTokens: number): number | null {
  if (!isTiered(price)) return price ?? null
  return price.tiers.reduce(
    (rate, { start, price: higher }) => (start <= aboveInputTokens ? higher : rate),
    price.base,
  )
}

function isTiered(price: ModelPrice[string]): price is TieredPrices {
  return typeof price === 'object'
}

/** List price of a model on a day, in US dollars per million tokens. */
interface ListedRates {
  inputPerMillion: number | null
  cachedPerMillion: number | null
  outputPerMillion: number | null
  /** Input tokens of a request; null: one rate for all requests. */
  higherAbove: number | null
}

/** null: the list has no price for it. `day`: `2026-11-22`. */
export function listedRates(model: string, day: string): ListedRates | null {
  const tiers = findPrice(model, day, LIST_PRICES).price?.tiers
  const [base, higher] = tiers ?? []
  if (base === undefined) return null
  return {
    inputPerMillion: base.input,
    cachedPerMillion: base.cached,
    outputPerMillion: base.output,
    higherAbove: higher?.aboveInputTokens ?? null,
  }
}
