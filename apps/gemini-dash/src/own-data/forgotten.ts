import { createHmac, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { KeptList } from './kept-list.ts'
import { openListFile } from './list-file.ts'
import type { TellDataProblem } from './own-file.ts'

/** Of a thing that is not to be kept again, this alone is known: nothing can be read from it. */
const forgottenSchema = z.object({ salt: z.string(), hash: z.string() })

/** What was forgotten is recognised when it is met again, and only then. In `forgotten.json` of the data folder. */
export class ForgottenBook {
  readonly #list: KeptList<z.infer<typeof forgottenSchema>>

  constructor(folder: string, tell: TellDataProblem) {
    this.#list = openListFile({
      folder,
      name: 'forgotten',
      item: forgottenSchema,
      what: 'What is never to be kept again',
      tell,
    })
  }

  get isEmpty(): boolean {
    return this.#list.read().length === 0
  }

  has(name: string): boolean {
    return isIn(this.#list.read(), name)
  }

  /** @throws where it could not be kept; then nothing has changed */
  add(names: readonly string[]): void {
    this.#list.update((known) => {
      const fresh = [...new Set(names)].filter((name) => !isIn(known, name))
      if (fresh.length === 0) return known
      const salt = known[0]?.salt ?? randomBytes(32).toString('base64url')
      return [...known, ...fresh.map((name) => ({ salt, hash: hashOf(salt, name) }))]
    })
  }
}

function isIn(known: readonly z.infer<typeof forgottenSchema>[], name: string): boolean {
  const salts = new Set(known.map(({ salt }) => salt))
  const hashes = new Set(known.map(({ hash }) => hash))
  return [...salts].some((salt) => hashes.has(hashOf(salt, name)))
}

function hashOf(salt: string, name: string): string {
  return createHmac('sha256', salt).update(name).digest('base64url')
}
