import { z } from 'zod'
import { answer } from '../fields/answer.ts'
import { antigravitySchema } from './antigravity.ts'
import { cliSchema } from './cli.ts'
import { sandboxSchema } from './sandbox.ts'
import { warningSchema } from './warning.ts'

/** How the program stands: its homes, its index, its prices, and what it goes on without. */
export const healthSchema = answer({
  version: z.string(),
  homes: z.array(
    z.strictObject({
      path: z.string(),
      /** How it is called beside others: the end of its path, as long as it has to be. */
      label: z.string(),
      exists: z.boolean(),
      /** Only of homes without sessions. */
      antigravity: antigravitySchema,
    }),
  ),
  /** `building` until every file was read once; files done by then. */
  index: z.strictObject({
    state: z.enum(['building', 'ready']),
    filesDone: z.number(),
    filesTotal: z.number(),
  }),
  cli: cliSchema,
  /** Homes whose Gemini CLI runs in a container, where it loses its sessions. */
  sandboxes: z.array(sandboxSchema),
  /** true when `--demo` serves the sample home. */
  demo: z.boolean(),
  /** Of the sample home the day after its last record: what ages, ranges and deletions are counted from. null: the time. */
  now: z.string().nullable(),
  prices: z.strictObject({
    /** The list that is used offline, and its day. */
    list: z.strictObject({ name: z.string(), version: z.string(), date: z.string() }),
    /** `nothing`: the user is on a plan, so no cost is known anywhere. */
    plan: z.enum(['list-price', 'nothing']),
    /** Why the user’s own `prices.json` is not used; null if it is, or if there is none. */
    problem: z.string().nullable(),
  }),
  warnings: z.array(warningSchema),
})
export type Health = z.infer<typeof healthSchema>
