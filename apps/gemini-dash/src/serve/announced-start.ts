import { rmSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { ownIdentity, processIdentitySchema } from '@gemini-dash/session-index'
import type { GeminiHome } from 'gemini-sessions/node'
import { z } from 'zod'
import { CliError } from '../terminal/cli-error.ts'
import { ServerRecords } from './server-records.ts'
import { removeAtEnd } from './thread.ts'

const startSchema = z.object({ owner: processIdentitySchema })

/**
 * Announces a start that is under way, from before it looks for servers until its own server is announced. A process that sees no other
 * announcement starts alone: later ones will see its own. If several see each other, the one with the lowest number stays.
 */
export class AnnouncedStart {
  readonly #records: ServerRecords
  readonly #owner = ownIdentity()
  #file: string | null = null

  constructor(dataFolder: string, homes: readonly GeminiHome[]) {
    this.#records = new ServerRecords(dataFolder, homes)
  }

  announce(): void {
    try {
      this.#file ??= this.#records.write('start', { owner: this.#owner })
      removeAtEnd(this.#file)
    } catch {
      this.#file = null
    }
  }

  /** Resolves when no other start is under way. @throws CliError if one does not finish */
  async whenAlone(patience: Patience): Promise<void> {
    for (;;) {
      const wasAnnounced = this.#file !== null
      const [lowest] = this.#others()
      if (lowest !== undefined && lowest < this.#owner.pid) this.end()
      else if (!wasAnnounced) {
        this.announce()
        // Nothing could be written, so no other process can see this start.
        if (this.#file === null) return
        continue
      }
      if (lowest === undefined) return
      await pauseFor(lowest, patience)
    }
  }

  end(): void {
    if (this.#file !== null) rmSync(this.#file, { force: true })
    this.#file = null
  }

  #others(): number[] {
    const pids = this.#records.read('start', startSchema).map(({ owner }) => owner.pid)
    return pids.filter((pid) => pid !== this.#owner.pid).toSorted((a, b) => a - b)
  }
}

/** For callers that do not start a server. Returns false if no start is under way, else true after a short wait. */
export async function waitForStart(
  dataFolder: string,
  homes: readonly GeminiHome[],
  patience: Patience,
): Promise<boolean> {
  const [start] = new ServerRecords(dataFolder, homes).read('start', startSchema)
  if (start === undefined) return false
  await pauseFor(start.owner.pid, patience)
  return true
}

async function pauseFor(pid: number, patience: Patience): Promise<void> {
  if (patience.leftMs === 0) {
    throw new CliError(
      1,
      `A dashboard for the same sessions (process ${pid}) has been starting for more than ${patience.seconds} seconds.`,
      `Try again when it has started, or stop it with "kill ${pid}".`,
    )
  }
  await patience.pause(`A dashboard for the same sessions (process ${pid}) is starting. Waiting for it.`)
}

const TELL_AFTER_MS = 1_000
const GIVE_UP_AFTER_MS = 30_000
const PAUSE_MS = 50
const TICK_MS = 250

/**
 * One overall wait for another process, whatever its steps: reported after a second, given up after thirty. Counts ticks of this process,
 * so time in which it was suspended does not count.
 */
export class Patience {
  readonly #tell: (sentence: string) => void
  readonly #giveUpAfterMs: number
  #ticks = 0
  #isAnnounced = false

  constructor(tell: (sentence: string) => void, giveUpAfterMs = GIVE_UP_AFTER_MS) {
    this.#tell = tell
    this.#giveUpAfterMs = giveUpAfterMs
    setInterval(() => {
      this.#ticks += 1
    }, TICK_MS).unref()
  }

  /** Time after which it gives up. */
  get seconds(): number {
    return this.#giveUpAfterMs / 1_000
  }

  get leftMs(): number {
    return Math.max(0, this.#giveUpAfterMs - this.#ticks * TICK_MS)
  }

  /** Reports once what it waits for, if that takes longer than a second. */
  async during<Result>(sentence: string, waiting: Promise<Result>): Promise<Result> {
    const isOver = new AbortController()
    const { signal } = isOver
    const untilReported = Math.max(0, TELL_AFTER_MS - this.#ticks * TICK_MS)
    setTimeout(untilReported, undefined, { signal }).then(
      () => this.#tellOnce(sentence),
      () => undefined,
    )
    try {
      return await waiting
    } finally {
      isOver.abort()
    }
  }

  /** Waits before the next look. */
  pause(sentence: string): Promise<void> {
    return this.during(sentence, setTimeout(PAUSE_MS))
  }

  #tellOnce(sentence: string): void {
    if (!this.#isAnnounced) this.#tell(sentence)
    this.#isAnnounced = true
  }
}
