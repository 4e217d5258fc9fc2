import { z } from 'zod'
import type { RowCall } from './row-call.ts'

/** The calls of one session: names, states and paths once each, and for each call its slot and what of them it has. */
export interface SessionCalls {
  names: string[]
  /** Slot, tool, status, paths: the latter three as indexes into `names`. */
  calls: number[][]
}

const sessionCallsSchema = z.object({ names: z.array(z.string()), calls: z.array(z.array(z.number())) })

export function readSessionCalls(json: string): SessionCalls {
  return sessionCallsSchema.parse(JSON.parse(json))
}

export function toSessionCalls(callsBySlot: Iterable<[slot: number, calls: RowCall[]]>): SessionCalls {
  const indexes = new Map<string, number>()
  const indexOf = (name: string): number => {
    const known = indexes.get(name)
    if (known !== undefined) return known
    indexes.set(name, indexes.size)
    return indexes.size - 1
  }
  const calls = [...callsBySlot].flatMap(([slot, its]) =>
    its.map(({ tool, status, paths }) => [slot, ...[tool, status, ...paths].map(indexOf)]),
  )
  return { names: [...indexes.keys()], calls }
}
