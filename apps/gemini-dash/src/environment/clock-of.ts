import { readLastTimes, scanHomes } from 'gemini-sessions/node'
import type { Flags } from '../terminal/flags.ts'
import { chooseHomes } from './choose-homes.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Gives the time that is taken for now, in ms since 1970. */
export type Clock = () => number

let ofSamples: Promise<Clock> | null = null

/**
 * What is taken for now: the time, or with `--demo` the day after the last record of the samples. It stays there, so that all that
 * is counted from now (ages, ranges, deletions, months) is the same whenever somebody looks at them.
 */
export async function clockOf(flags: Flags): Promise<Clock> {
  if (flags.demo !== true) return () => Date.now()
  ofSamples ??= stopAfterLastRecord(flags)
  return ofSamples
}

async function stopAfterLastRecord(flags: Flags): Promise<Clock> {
  const { files } = await scanHomes(chooseHomes(flags))
  const times = [...(await readLastTimes(files)).values()].map((time) => Date.parse(time))
  const nowMs = times.length === 0 ? Date.now() : Math.max(...times) + DAY_MS
  return () => nowMs
}
