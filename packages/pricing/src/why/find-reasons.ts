import { addCost, NO_COST } from 'gemini-sessions'
import {
  findAboveTier,
  findColdCache,
  findDropped,
  findLargeResults,
  findRepeatedReads,
  findRewound,
  findSmallPrompts,
} from './causes.ts'
import type { FoundReason, PricedRequest, PromptLengths, Reason, SessionReasons, TurnShare } from './facts.ts'

/** More are never shown. */
const MOST_RESULTS = 3
const MOST_TURNS = 8
/** Share of the session's cost: a smaller cause counts toward its turn. */
const MIN_SHARE = 0.02

type FindCause = (
  requests: readonly PricedRequest[],
  all: readonly PricedRequest[],
  prompts: PromptLengths,
) => FoundReason[]

/** In this order: a request counts for the first cause that applies. */
const CAUSES: readonly FindCause[] = [
  findLargeResults,
  findAboveTier,
  findRepeatedReads,
  findRewound,
  findDropped,
  findColdCache,
  (requests, _all, prompts) => findSmallPrompts(requests, prompts),
]

/** Why the requests of a session cost what they did. null: nothing of it has a price. */
export function findReasons(all: readonly PricedRequest[], prompts: PromptLengths): SessionReasons | null {
  if (all.length === 0) return null
  const usd = sumOf(all)
  const reasons: Reason[] = []
  let left = all
  for (const find of CAUSES) {
    const found = find(left, all, prompts).map((each) => ({ ...each, usd: sumOf(each.requests) }))
    const listed = found
      .filter((each) => each.usd >= MIN_SHARE * usd)
      .sort((one, other) => other.usd - one.usd)
    reasons.push(...listed.slice(0, MOST_RESULTS).map(toReason), ...mergeResults(listed.slice(MOST_RESULTS)))
    const explained = new Set(listed.flatMap(({ requests }) => requests))
    left = left.filter((request) => !explained.has(request))
  }
  return { usd, requests: all.length, reasons, ...shareByTurn(left) }
}

type PricedFound = FoundReason & { usd: number }

function toReason({ requests, facts, place, advice, usd }: PricedFound): Reason {
  const { turn, messageKey } = place
  return { ...facts, usd, requests: requests.length, turn, messageKey, advice }
}

/** Only results can be this many. */
function mergeResults(found: readonly PricedFound[]): Reason[] {
  const reasons = found.map(toReason)
  const [first, ...others] = reasons
  return first === undefined ? [] : [others.reduce(mergeReasons, first)]
}

/** Merges two reasons with the same cause: with the place of the larger, and advice only if both have the same. */
export function mergeReasons(one: Reason, other: Reason): Reason {
  const sums = {
    usd: sumUsd([one.usd, other.usd]),
    requests: one.requests + other.requests,
    advice: one.advice === other.advice ? one.advice : null,
  }
  if (one.cause !== 'large-result' || other.cause !== 'large-result') return { ...one, ...sums }
  return {
    ...one,
    ...sums,
    results: one.results + other.results,
    tokens: one.tokens + other.tokens,
    aboveRequests: one.aboveRequests + other.aboveRequests,
    surchargeUsd: sumUsd([one.surchargeUsd, other.surchargeUsd]),
  }
}

function shareByTurn(requests: readonly PricedRequest[]): Pick<SessionReasons, 'turns' | 'others'> {
  const byTurn = new Map<number, PricedRequest[]>()
  for (const request of requests) {
    const known = byTurn.get(request.turn)
    if (known === undefined) byTurn.set(request.turn, [request])
    else known.push(request)
  }
  const turns = [...byTurn].map(
    ([turn, of]): TurnShare => ({
      turn,
      messageKey: of[0]?.messageKey ?? '',
      usd: sumOf(of),
      requests: of.length,
    }),
  )
  turns.sort((one, other) => other.usd - one.usd || one.turn - other.turn)
  const others = turns.slice(MOST_TURNS)
  return {
    turns: turns.slice(0, MOST_TURNS),
    others: {
      usd: sumUsd(others.map((turn) => turn.usd)),
      requests: others.reduce((sum, turn) => sum + turn.requests, 0),
      turns: others.length,
    },
  }
}

function sumOf(requests: readonly PricedRequest[]): number {
  return sumUsd(requests.map(({ usd }) => usd))
}

/** Exact, in any order. */
export function sumUsd(amounts: readonly number[]): number {
  return amounts.reduce((sum, usd) => addCost(sum, { usd, unpricedCalls: 0 }), NO_COST).usd ?? 0
}
