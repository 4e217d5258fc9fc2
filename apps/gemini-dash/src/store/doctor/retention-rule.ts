import type { Doctor } from '@gemini-dash/api'
import { formatPlural } from '@gemini-dash/api/figures'
import { readSessionRetention, type SessionRetention, type Setting, settingsPath } from 'gemini-sessions/node'

/** When the Gemini CLI of one home deletes sessions by itself. */
export interface RetentionRule {
  /** null: no age limit. */
  maxAgeDays: number | null
  /** null: no limit. */
  maxCount: number | null
  /** Set explicitly. Versions before 0.29, whose folders are named by hashes, delete only then. */
  isExplicit: boolean
}

export type RetentionProblem = Doctor['retention']['problems'][number]

/** The result of a home's settings. */
export interface CleanUp {
  /** null: nothing is deleted. */
  rule: RetentionRule | null
  /** Invalid settings. */
  problems: RetentionProblem[]
}

/** On by default since 0.33. */
const DEFAULT_MAX_AGE_DAYS = 30
/** A shorter `maxAge` than this, or than `minRetention`, switches the clean-up off. */
const DEFAULT_MIN_DAYS = 1
const NAME = 'general.sessionRetention'
const WRITE_AGE = 'Write a number above 0 and h, d, w or m, such as "365d".'
const WRITE_COUNT = 'Write a whole number above 0, such as 200.'
const NOT_DELETED = 'Gemini CLI does not accept it and turns cleanup off: no session is deleted.'

type Problem = Pick<RetentionProblem, 'setting' | 'value' | 'reason' | 'advice'>

/** Follows the validation of Gemini CLI 0.61.0: an invalid setting usually switches the clean-up off, but not always. */
export function cleanUpOf(home: { path: string }): CleanUp {
  const path = settingsPath(home)
  const settings = readSessionRetention(home)
  const { rule, problems } = settings.isFileValid ? judge(settings) : INVALID_FILE
  return { rule, problems: problems.map((problem) => ({ path, ...problem })) }
}

interface Judged {
  rule: RetentionRule | null
  problems: Problem[]
}

const INVALID_FILE: Judged = {
  rule: null,
  problems: [
    {
      setting: 'settings.json',
      value: null,
      reason: 'The file is not a JSON object, so Gemini CLI does not start and no session is deleted.',
      advice: 'Fix the file. Its cleanup settings are then read.',
    },
  ],
}

function judge({ all, enabled, maxAgeDays, maxCount, minRetentionDays }: SessionRetention): Judged {
  if (all.is === 'invalid')
    return off(
      problemOf('', all, NOT_DELETED, 'Write an object, such as { "enabled": true, "maxAge": "30d" }.'),
    )
  const isOn = judgeEnabled(enabled)
  if (!isOn.value) return off(...isOn.problems)
  const count = judgeCount(maxCount)
  const age = judgeAge(maxAgeDays, minRetentionDays, maxCount.is !== 'unset')
  const problems = [...isOn.problems, ...age.problems, ...count.problems]
  if (age.value === 'refused' || count.value === 'refused') return off(...problems)
  return {
    rule: { maxAgeDays: age.value, maxCount: count.value, isExplicit: enabled.is !== 'unset' },
    problems,
  }
}

function off(...problems: Problem[]): Judged {
  return { rule: null, problems }
}

interface Value<Of> {
  value: Of
  problems: Problem[]
}

function judgeEnabled(enabled: Setting<boolean>): Value<boolean> {
  if (enabled.is === 'unset') return { value: true, problems: [] }
  if (enabled.is === 'valid') return { value: enabled.value, problems: [] }
  const value = Boolean(enabled.given)
  const reason = value
    ? 'Gemini CLI treats it as true: cleanup is on.'
    : 'Gemini CLI treats it as false: cleanup is off.'
  return { value, problems: [problemOf('enabled', enabled, reason, 'Write true or false.')] }
}

/** null: no age limit, which requires a limit on the count. */
function judgeAge(
  maxAge: Setting<number>,
  minRetention: Setting<number>,
  hasCount: boolean,
): Value<number | null | 'refused'> {
  if (maxAge.is === 'invalid') {
    if (maxAge.given || !hasCount)
      return { value: 'refused', problems: [problemOf('maxAge', maxAge, NOT_DELETED, WRITE_AGE)] }
    const reason = 'Gemini CLI treats it as no limit: no session is deleted because of its age.'
    return { value: null, problems: [problemOf('maxAge', maxAge, reason, WRITE_AGE)] }
  }
  const days = maxAge.is === 'valid' ? maxAge.value : DEFAULT_MAX_AGE_DAYS
  const atLeast = minRetention.is === 'valid' ? minRetention.value : DEFAULT_MIN_DAYS
  const problems =
    minRetention.is === 'invalid'
      ? [problemOf('minRetention', minRetention, 'Gemini CLI uses "1d" instead.', WRITE_AGE)]
      : []
  if (days >= atLeast) return { value: days, problems }
  const reason = `${formatDays(days)} are shorter than minRetention (${formatDays(atLeast)}). ${NOT_DELETED}`
  const tooShort = {
    setting: `${NAME}.maxAge`,
    value: null,
    reason,
    advice: 'Write a longer one or a shorter minRetention.',
  }
  return { value: 'refused', problems: [...problems, tooShort] }
}

function formatDays(days: number): string {
  return days < 2 ? formatPlural(days * 24, 'hour') : formatPlural(days, 'day')
}

/** null: no limit. */
function judgeCount(maxCount: Setting<number>): Value<number | null | 'refused'> {
  if (maxCount.is === 'unset') return { value: null, problems: [] }
  if (maxCount.is === 'valid') return { value: maxCount.value, problems: [] }
  const count = Number(maxCount.given)
  const because = (reason: string) => [problemOf('maxCount', maxCount, reason, WRITE_COUNT)]
  if (count < 1) return { value: 'refused', problems: because(NOT_DELETED) }
  if (Number.isNaN(count))
    return {
      value: null,
      problems: because('Gemini CLI treats it as no limit: no session is deleted because of their number.'),
    }
  return { value: count, problems: because(`Gemini CLI treats it as ${count}.`) }
}

function problemOf(
  name: string,
  { written: value }: Extract<Setting<unknown>, { is: 'invalid' }>,
  reason: string,
  advice: string,
): Problem {
  return { setting: name === '' ? NAME : `${NAME}.${name}`, value, reason, advice }
}
