import type { SessionRecord } from '@gemini-dash/session-index'
import { type BilledElsewhere, REQUEST_ID_LENGTH } from 'gemini-sessions'
import type { LinkedSession } from './rows.ts'

/** Which session counts a request that several have: requests of copied, forked and imported sessions were billed once. */
export class BillingRegistry {
  /** `SessionRecord.requests` by session key. */
  readonly #known = new Map<string, string>()
  /** All requests of the last review, as sorted numbers, which need far less memory than texts. */
  #reviewed = new Float64Array(0)
  /** Those added since. */
  readonly #fresh = new Set<number>()
  /** Sessions that share a request with another one. */
  #involved: ReadonlySet<string> = new Set()
  #isOutdated = true

  /** Something was read or deleted that may change which session counts a request. */
  get isOutdated(): boolean {
    return this.#isOutdated
  }

  note(records: readonly SessionRecord[]): void {
    for (const { summary, requests } of records) {
      const { key } = summary
      const before = this.#known.get(key) ?? ''
      this.#known.set(key, requests)
      if (before === requests || this.#isOutdated) continue
      const hasGrown = requests.startsWith(before)
      const fresh = numbersOf(hasGrown ? requests.slice(before.length) : requests)
      if (!hasGrown && this.#involved.has(key)) this.#isOutdated = true
      if (fresh.some((number) => this.#has(number))) this.#isOutdated = true
      for (const number of fresh) this.#fresh.add(number)
    }
  }

  forget(sessionKeys: readonly string[]): void {
    for (const key of sessionKeys) {
      this.#known.delete(key)
      if (this.#involved.has(key)) this.#isOutdated = true
    }
  }

  /** For each session that has requests of older ones: which session counts them. The oldest existing copy counts. */
  review(sessions: Iterable<LinkedSession>): ReadonlyMap<string, BilledElsewhere[]> {
    this.#isOutdated = false
    const all = [...sessions].filter(({ record }) => record.requests !== '')
    const shared = this.#findShared(all)
    const involved = new Set<string>()
    const elsewhere = new Map<string, BilledElsewhere[]>()
    if (shared.size > 0) {
      const owners = new Map<string, string>()
      for (const { summary, record } of all.sort(oldestFirst)) {
        const byOwner = new Map<string, string[]>()
        for (const request of new Set(idsOf(record.requests))) {
          if (!shared.has(numberOf(request))) continue
          const owner = owners.get(request)
          involved.add(summary.key)
          if (owner === undefined) {
            owners.set(request, summary.key)
            continue
          }
          const own = byOwner.get(owner) ?? []
          own.push(request)
          byOwner.set(owner, own)
        }
        if (byOwner.size > 0)
          elsewhere.set(
            summary.key,
            [...byOwner].map(([sessionKey, requests]) => ({ sessionKey, requests })),
          )
      }
    }
    this.#involved = involved
    return elsewhere
  }

  #has(number: number): boolean {
    if (this.#fresh.has(number)) return true
    let [low, high] = [0, this.#reviewed.length - 1]
    while (low <= high) {
      const middle = (low + high) >> 1
      const found = this.#reviewed[middle] ?? 0
      if (found === number) return true
      if (found < number) low = middle + 1
      else high = middle - 1
    }
    return false
  }

  /** Numbers that more than one session has; sorting them is cheaper than a map of all. */
  #findShared(sessions: readonly LinkedSession[]): ReadonlySet<number> {
    const count = sessions.reduce((sum, { record }) => sum + record.requests.length / REQUEST_ID_LENGTH, 0)
    const numbers = new Float64Array(count)
    let at = 0
    for (const { record } of sessions)
      for (const number of numbersOf(record.requests)) {
        numbers[at] = number
        at += 1
      }
    numbers.sort()
    const shared = new Set<number>()
    for (let index = 1; index < numbers.length; index++) {
      const number = numbers[index] ?? 0
      if (number === numbers[index - 1]) shared.add(number)
    }
    this.#reviewed = numbers
    this.#fresh.clear()
    return shared
  }
}

/** For equal starts the one whose key is derived from id and start: it was there first. */
function oldestFirst(a: LinkedSession, b: LinkedSession): number {
  const ranks = ({ summary, record }: LinkedSession) => [
    summary.startTime ?? '~',
    record.forkedFrom === null ? '0' : '1',
    record.fileKeys.some(({ start }) => start === summary.key) ? '0' : '1',
    summary.files[0]?.path ?? '',
    summary.key,
  ]
  const [left, right] = [ranks(a), ranks(b)]
  const index = left.findIndex((rank, at) => rank !== right[at])
  return index < 0 ? 0 : (left[index] ?? '') < (right[index] ?? '') ? -1 : 1
}

function idsOf(requests: string): string[] {
  const ids: string[] = []
  for (let at = 0; at < requests.length; at += REQUEST_ID_LENGTH)
    ids.push(requests.slice(at, at + REQUEST_ID_LENGTH))
  return ids
}

function numbersOf(requests: string): number[] {
  const numbers: number[] = []
  for (let at = 0; at < requests.length; at += REQUEST_ID_LENGTH) numbers.push(numberAt(requests, at))
  return numbers
}

function numberOf(request: string): number {
  return numberAt(request, 0)
}

/** 48 bits of the id: enough to find the requests that have to be compared as texts. */
function numberAt(requests: string, at: number): number {
  let number = 0
  for (let index = at; index < at + 8; index++)
    number = number * 64 + (DIGITS[requests.charCodeAt(index)] ?? 0)
  return number
}

const DIGITS = new Uint8Array(128)
for (const [digit, letter] of [
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
].entries())
  DIGITS[letter.charCodeAt(0)] = digit
