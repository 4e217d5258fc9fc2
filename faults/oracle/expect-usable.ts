import type { Server } from '../program/start-server.ts'
import type { Trial } from '../trial.ts'

const ANSWER_MS = 30_000

/** Expects the page and its entry script to be served. */
export async function expectUsable(trial: Trial, server: Server): Promise<void> {
  const get = async (path: string): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
    return answer.text()
  }
  try {
    const page = await get('/')
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1]
    if (script === undefined) throw new Error(`the page names no script: ${page.slice(0, 200)}`)
    await get(script)
  } catch (error) {
    trial.addDifferences([`the page is not usable: ${error instanceof Error ? error.message : error}`])
  }
}
