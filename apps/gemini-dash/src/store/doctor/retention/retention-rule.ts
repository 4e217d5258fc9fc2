import { type GeminiHome, readSessionRetention } from 'gemini-sessions/node'

/** When the CLI of one home deletes sessions by itself. null: never. */
export interface RetentionRule {
  maxAgeDays: number
  maxCount: number | null
  /** Asked for in the settings. Versions before 0.29, whose folders are named by hashes, delete only then. */
  isExplicit: boolean
}

/** On by default since 0.33. */
const DEFAULT_MAX_AGE_DAYS = 30
/** A shorter `maxAge` than this, or than `minRetention`, switches the clean-up off. */
const DEFAULT_MIN_DAYS = 1

export function retentionRule(home: GeminiHome): RetentionRule | null {
  const { enabled, maxAgeDays, maxCount, minRetentionDays } = readSessionRetention(home)
  if (enabled === false) return null
  const age = maxAgeDays ?? DEFAULT_MAX_AGE_DAYS
  if (age < (minRetentionDays ?? DEFAULT_MIN_DAYS) || (maxCount !== null && maxCount < 1)) return null
  return { maxAgeDays: age, maxCount, isExplicit: enabled === true }
}
