import type { PackFolder } from './pack-folder.ts'
import type { PackPosition } from './pack-writer.ts'

/** As many are proven again at once: each takes a tenth of a second. */
const MOST_PROVEN_AGAIN = 2
/** A disk loses bits without saying so: what nobody has written to is proven again after so long. */
const PROOF_LASTS_MS = 30 * 24 * 60 * 60 * 1000

interface Proof {
  identity: string
  provenMs: number
  /** Where no whole record stands. */
  damaged: number[]
}

/** Which packs were read as a whole, so that not all of them need be each time. */
export class PackProofs {
  readonly #packs: PackFolder
  #proofs = new Map<number, Proof>()

  constructor(packs: PackFolder) {
    this.#packs = packs
  }

  /** Reads what has changed since, or was not read for long. Answers the bundles that are not whole any more. */
  prove(bundles: readonly PackPosition[], nowMs: number): PackPosition[] {
    const there = new Set(this.#packs.list())
    const suspects = new Map<number, Set<number>>()
    let provenAgain = 0
    for (const pack of there) {
      const proof = this.#proofs.get(pack)
      const identity = this.#packs.identity(pack)
      if (proof?.identity === identity) {
        const isOld = nowMs - proof.provenMs >= PROOF_LASTS_MS
        if (!isOld || provenAgain === MOST_PROVEN_AGAIN) continue
        provenAgain++
      }
      const whole = new Set<number>()
      const { damaged } = this.#packs.scan(pack, 0, ({ offset }) => whole.add(offset))
      this.#proofs.set(pack, { identity, provenMs: nowMs, damaged })
      suspects.set(pack, whole)
    }
    return bundles.filter(({ pack, offset }) => {
      if (!there.has(pack)) return true
      const whole = suspects.get(pack)
      return whole !== undefined && !whole.has(offset)
    })
  }

  /** What this process appended needs no proof; whoever changed the pack before is found out by `prove`. */
  trust(pack: number, nowMs: number): void {
    const proof = this.#proofs.get(pack)
    this.#proofs.set(pack, {
      identity: this.#packs.identity(pack),
      provenMs: proof?.provenMs ?? nowMs,
      damaged: proof?.damaged ?? [],
    })
  }

  /** Places in packs where something is damaged. */
  damagedPlaces(): PackPosition[] {
    return [...this.#proofs].flatMap(([pack, { damaged }]) => damaged.map((offset) => ({ pack, offset })))
  }

  store(): [number, string, number, number[]][] {
    return [...this.#proofs].map(([pack, { identity, provenMs, damaged }]) => [
      pack,
      identity,
      provenMs,
      damaged,
    ])
  }

  restore(proofs: readonly [number, string, number, number[]][]): void {
    this.#proofs = new Map(
      proofs.map(([pack, identity, provenMs, damaged]) => [pack, { identity, provenMs, damaged }]),
    )
  }
}
