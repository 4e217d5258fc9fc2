import { IndexFault } from './index-fault.ts'

/** A thread that worked for so long and then died is no worse than one that died for the first time. */
const FORGIVEN_AFTER_MS = 60_000
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 30_000
/** From the next death on whoever asks is told at once. */
const HOPELESS_DEATHS = 3

/** How long to wait before a thread that died is started again: longer each time, unless something explains its death. */
export class RestartPause {
  #deaths = 0
  #startedMs = 0
  #reason = ''
  #timer: NodeJS.Timeout | null = null

  /** In a row. */
  get deaths(): number {
    return this.#deaths
  }

  get isHopeless(): boolean {
    return this.#deaths >= HOPELESS_DEATHS
  }

  /** What whoever asks is told of the last one. */
  get fault(): IndexFault {
    return IndexFault.ofThread(this.#reason)
  }

  noteStart(): void {
    this.#startedMs = performance.now()
  }

  /** The pause that is due. `isExplained`: it read a group, which is left out when another one ends over it. */
  noteDeath(reason: string, isExplained: boolean): number {
    this.#reason = reason
    if (isExplained) return 0
    const livedMs = this.#startedMs === 0 ? 0 : performance.now() - this.#startedMs
    this.#startedMs = 0
    this.#deaths = livedMs > FORGIVEN_AFTER_MS ? 1 : this.#deaths + 1
    return this.#deaths === 1 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#deaths - 2))
  }

  wait(pauseMs: number, then: () => void): void {
    this.#timer = setTimeout(then, pauseMs)
  }

  cancel(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
  }
}
