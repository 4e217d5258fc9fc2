import type { FoundReason, LargePiece, PricedRequest, PromptLengths } from './facts.ts'

/** No cache is known to expire sooner. */
const MIN_BREAK_MS = 5 * 60_000
/** Share of the previous request's input: less in the cache is cold. */
const COLD_SHARE = 0.1
/** Of requests in quick succession, half had more than this share in the cache: so caching worked. */
const WARM_SHARE = 0.5

/** The first requests after a break or a compression with a cold cache, in a session whose other requests were cached. */
export function findColdCache(
  requests: readonly PricedRequest[],
  all: readonly PricedRequest[] = requests,
): FoundReason[] {
  if (!isUsuallyWarm(all)) return []
  const afterBreak = requests.filter((request) => breakMs(request) >= MIN_BREAK_MS && isCold(request))
  const compressed = requests.filter((request) => request.isAfterCompression && isColdStart(request))
  const found = new Set([...afterBreak, ...compressed])
  const cold = requests.filter((request) => found.has(request))
  const [first] = cold
  if (first === undefined) return []
  // within a turn it was a tool or an approval that took so long, not a break of the user
  const paused = afterBreak.filter(({ isFirstOfTurn }) => isFirstOfTurn)
  const [longest] = [...paused].sort((one, other) => breakMs(other) - breakMs(one))
  return [
    {
      requests: cold,
      facts: {
        cause: 'cold-cache',
        breaks: paused.length,
        longestBreakMs: longest === undefined ? 0 : breakMs(longest),
        breakTurn: longest?.turn ?? null,
        waits: afterBreak.length - paused.length,
        compressions: compressed.length,
        compressionTurn: compressed[0]?.turn ?? null,
      },
      place: first,
      advice: paused.length > 0 ? 'finish-before-break' : null,
    },
  ]
}

function isUsuallyWarm(all: readonly PricedRequest[]): boolean {
  const shares = all
    .filter((request) => request.before !== null && breakMs(request) < MIN_BREAK_MS)
    .map((request) => request.cached / sentBefore(request))
    .sort((one, other) => one - other)
  const median = shares[Math.floor(shares.length / 2)]
  return median !== undefined && median >= WARM_SHARE
}

function isCold(request: PricedRequest): boolean {
  return request.before !== null && request.cached <= COLD_SHARE * sentBefore(request)
}

/** After a compression, only the instructions can be cached. */
function isColdStart({ input, cached }: PricedRequest): boolean {
  return cached <= COLD_SHARE * input
}

function sentBefore({ before, input }: PricedRequest): number {
  return Math.max(Math.min(before?.input ?? 0, input), 1)
}

/** 0 if a time is unknown. */
function breakMs({ before, timeMs }: PricedRequest): number {
  return before === null || before.timeMs === null || timeMs === null ? 0 : timeMs - before.timeMs
}

/** Requests billed at the higher rate for long inputs. */
export function findAboveTier(requests: readonly PricedRequest[]): FoundReason[] {
  const above = requests.filter(({ aboveInputTokens }) => aboveInputTokens !== null)
  const [first] = above
  if (first === undefined) return []
  return [
    {
      requests: above,
      facts: {
        cause: 'above-tier',
        aboveInputTokens: first.aboveInputTokens ?? 0,
        surchargeUsd: above.reduce((sum, { surchargeUsd }) => sum + surchargeUsd, 0),
        largestInput: above.reduce((most, { input }) => Math.max(most, input), 0),
      },
      place: first,
      advice: couldHaveCompressed(above) ? 'compress' : null,
    },
  ]
}

/** Within a turn the user cannot compress: only a turn that began above the limit was an opportunity. */
function couldHaveCompressed(above: readonly PricedRequest[]): boolean {
  const turns = new Set(above.flatMap(({ isFirstOfTurn, turn }) => (isFirstOfTurn ? [turn] : [])))
  const avoidable = above.filter(({ turn, isAgent }) => !isAgent && turns.has(turn))
  return avoidable.length * 2 >= above.length
}

/** Share of a request's input. */
const MIN_SHARE = 0.2
/** In a nearly empty context even a short file is a large share. */
const MIN_TOKENS = 4_000

/** Requests in which one result, attached file or prompt was more than a fifth of the input. */
export function findLargeResults(requests: readonly PricedRequest[]): FoundReason[] {
  const byPiece = new Map<string, { piece: LargePiece; requests: PricedRequest[] }>()
  for (const request of requests) {
    const { largest, input } = request
    if (largest === null || largest.tokens < MIN_TOKENS || largest.tokens <= MIN_SHARE * input) continue
    const known = byPiece.get(largest.id) ?? { piece: largest, requests: [] }
    known.requests.push(request)
    byPiece.set(largest.id, known)
  }
  return [...byPiece.values()].map(({ piece, requests: carried }) => {
    const { of, tool, label, turn, messageKey, advice } = piece
    const above = carried.filter(({ aboveInputTokens }) => aboveInputTokens !== null)
    return {
      requests: carried,
      facts: {
        cause: 'large-result',
        of,
        tool,
        label,
        results: 1,
        tokens: carried.reduce((most, { largest }) => Math.max(most, largest?.tokens ?? 0), 0),
        aboveRequests: above.length,
        surchargeUsd: above.reduce((sum, { surchargeUsd }) => sum + surchargeUsd, 0),
      },
      place: { turn, messageKey },
      advice,
    }
  })
}

/** Requests that read only files still unchanged in the context. */
export function findRepeatedReads(requests: readonly PricedRequest[]): FoundReason[] {
  const again = requests.filter(({ rereads }) => rereads !== null && rereads.calls === rereads.callCount)
  const [first] = again
  if (first === undefined) return []
  const reads = new Map<string, number>()
  for (const path of again.flatMap(({ rereads }) => rereads?.paths ?? []))
    reads.set(path, (reads.get(path) ?? 0) + 1)
  const [most] = [...reads].sort(([, one], [, other]) => other - one)
  return [
    {
      requests: again,
      facts: {
        cause: 'repeated-reads',
        path: most?.[0] ?? '',
        files: reads.size,
        reads: [...reads.values()].reduce((sum, count) => sum + count, 0),
      },
      place: first,
      advice: 'say-unchanged',
    },
  ]
}

/** Requests that the user undid with /rewind. Compressed ones had done their work. */
export function findRewound(requests: readonly PricedRequest[]): FoundReason[] {
  const rewound = requests.filter(({ superseded }) => superseded === 'rewound')
  const turns = new Set(rewound.map(({ turn }) => turn)).size
  return toFound(rewound, { cause: 'rewound', turns })
}

/** Requests whose answers Gemini CLI dropped: after a stop or an error, or because another record replaced them. */
export function findDropped(requests: readonly PricedRequest[]): FoundReason[] {
  const dropped = requests.filter(({ superseded }) => superseded === 'aborted' || superseded === 'replaced')
  return toFound(dropped, { cause: 'dropped' })
}

function toFound(requests: readonly PricedRequest[], facts: FoundReason['facts']): FoundReason[] {
  const [first] = requests
  return first === undefined ? [] : [{ requests, facts, place: first, advice: null }]
}

const MIN_TURNS = 8
/** Characters: about 100 tokens, a few lines. */
const MAX_PROMPT_LENGTH = 400
/** On average; a turn with more is not a small task. */
const MAX_REQUESTS_PER_TURN = 6
/** Minimum share of the price for content sent before. */
const MIN_RESENT_SHARE = 0.5

/**
 * Turns of one context that began with a short prompt and took few requests, if there are many of them and resending the context is most of
 * their cost.
 */
export function findSmallPrompts(requests: readonly PricedRequest[], prompts: PromptLengths): FoundReason[] {
  const contexts = new Map<string, PricedRequest[]>()
  for (const request of requests) {
    const length = prompts.get(request.turn)
    if (request.isAgent || length === undefined || length > MAX_PROMPT_LENGTH) continue
    const known = contexts.get(request.context)
    if (known === undefined) contexts.set(request.context, [request])
    else known.push(request)
  }
  const small = [...contexts.values()].filter(isManySmallOnes).flat()
  const [first] = small
  if (first === undefined) return []
  const sum = (of: (request: PricedRequest) => number) => small.reduce((total, each) => total + of(each), 0)
  return [
    {
      requests: small,
      facts: {
        cause: 'small-prompts',
        turns: turnsOf(small),
        instructionTokens: Math.round(sum(({ instructionTokens }) => instructionTokens) / small.length),
        instructionUsd: sum(({ instructionUsd }) => instructionUsd),
      },
      place: first,
      advice: 'batch-prompts',
    },
  ]
}

function isManySmallOnes(requests: readonly PricedRequest[]): boolean {
  const turns = turnsOf(requests)
  const usd = requests.reduce((sum, request) => sum + request.usd, 0)
  const resentUsd = requests.reduce((sum, request) => sum + request.resentUsd, 0)
  return (
    turns >= MIN_TURNS &&
    requests.length <= MAX_REQUESTS_PER_TURN * turns &&
    resentUsd >= MIN_RESENT_SHARE * usd
  )
}

function turnsOf(requests: readonly PricedRequest[]): number {
  return new Set(requests.map(({ turn }) => turn)).size
}
