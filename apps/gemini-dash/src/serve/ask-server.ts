import { setTimeout as pause } from 'node:timers/promises'
import { type Health, healthSchema } from '@gemini-dash/api'
import type { Access } from '../access.ts'
import { sessionCookieName } from '../server/allowed-hosts.ts'
import type { CommandQuestion } from '../store/command-question.ts'
import type { RunningServer } from './running-servers.ts'

/** A server that is silent for this long is busy, and the command is faster on its own. */
const SILENCE_MS = 1_000
/** Before a command session, which lasts one minute, expires. */
const RENEW_AFTER_MS = 30_000

/**
 * The answer of a running server, parsed; null if it cannot give one. An answer may take any time, as long as the server still responds to
 * health checks meanwhile.
 */
export async function askServer(
  server: RunningServer,
  question: CommandQuestion,
  access: Access,
  onHealth: (health: Health) => void,
): Promise<unknown> {
  const knock = new Knock(server, access)
  const ending = new AbortController()
  try {
    const silence = knock.untilSilence(ending.signal, onHealth).then(() => ending.abort())
    const answer = await knock.ask(question, ending.signal)
    ending.abort()
    await silence
    return answer
  } catch {
    return null
  } finally {
    ending.abort()
    knock.close()
  }
}

/** Makes a running server change something, however long that takes. @throws if it cannot be reached */
export async function changeByServer(
  server: RunningServer,
  path: string,
  access: Access,
): Promise<{ status: number; answer: unknown }> {
  const knock = new Knock(server, access)
  try {
    return await knock.change(path)
  } finally {
    knock.close()
  }
}

class Knock {
  readonly #server: RunningServer
  readonly #access: Access
  #token: string
  #issuedAtMs = performance.now()

  constructor(server: RunningServer, access: Access) {
    this.#server = server
    this.#access = access
    this.#token = access.commandSessions.issue()
  }

  async ask(question: CommandQuestion, signal: AbortSignal): Promise<unknown> {
    const answer = await this.#fetch('/api/command', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(question),
      signal,
    })
    if (!answer.ok || answer.body === null) return null
    return await readLines(answer.body)
  }

  async change(path: string): Promise<{ status: number; answer: unknown }> {
    const headers = { 'content-type': 'application/json' }
    const answer = await this.#fetch(path, { method: 'POST', headers, body: '{}' })
    return { status: answer.status, answer: await answer.json() }
  }

  /** Resolves when the server does not answer in time, or when the signal makes it irrelevant. */
  async untilSilence(signal: AbortSignal, onHealth: (health: Health) => void): Promise<void> {
    while (!signal.aborted) {
      const health = await this.#health(signal)
      if (health === undefined) return
      onHealth(health)
      await pause(SILENCE_MS / 2, undefined, { signal }).catch(() => undefined)
    }
  }

  /**
   * undefined if no answer came in time. The timer is local: in Node.js 20 a combined signal can be garbage-collected together with its
   * timeout.
   */
  async #health(signal: AbortSignal): Promise<Health | undefined> {
    const limit = new AbortController()
    const giveUp = () => limit.abort()
    const timer = setTimeout(giveUp, SILENCE_MS)
    signal.addEventListener('abort', giveUp, { once: true })
    try {
      const answer = await this.#fetch('/api/health', { signal: limit.signal })
      return healthSchema.safeParse(await answer.json()).data
    } catch {
      return undefined
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
    }
  }

  close(): void {
    this.#access.commandSessions.revoke(this.#token)
  }

  #fetch(path: string, asked: RequestInit & { headers?: Record<string, string> }): Promise<Response> {
    if (performance.now() - this.#issuedAtMs > RENEW_AFTER_MS) {
      this.close()
      this.#token = this.#access.commandSessions.issue()
      this.#issuedAtMs = performance.now()
    }
    const { origin, port } = this.#server
    const cookie = `${sessionCookieName(port)}=${this.#token}`
    return fetch(`${origin}${path}`, { ...asked, headers: { ...asked.headers, cookie }, redirect: 'error' })
  }
}

/** One object, and the messages that follow it, one per line. @throws if some are missing */
async function readLines(body: AsyncIterable<Uint8Array>): Promise<unknown> {
  let answer: Record<string, unknown> | undefined
  const messages: unknown[] = []
  for await (const line of linesOf(body)) {
    if (answer === undefined) answer = JSON.parse(line)
    else messages.push(JSON.parse(line))
  }
  if (answer === undefined) throw new Error('There is no answer.')
  if (typeof answer.messages !== 'number') return answer
  if (answer.messages !== messages.length) throw new Error('Messages are missing.')
  return { ...answer, messages }
}

/** Splits at line feeds only: texts can contain other line terminators. Anything after the last line feed is incomplete. */
async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncIterableIterator<string> {
  const decoder = new TextDecoder()
  let begun: string[] = []
  for await (const chunk of body) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n')
    begun.push(first)
    for (const part of others) {
      yield begun.join('')
      begun = [part]
    }
  }
}
