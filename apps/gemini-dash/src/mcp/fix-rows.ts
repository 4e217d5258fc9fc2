import { formatPlural } from '@gemini-dash/api/figures'
import { toolLabel } from '@gemini-dash/api/tool-label'
import type { ProjectCommand } from '../store/session/find-command.ts'
import type { FoundFix } from '../store/session/find-fix.ts'
import { MESSAGE_KEY_LENGTH, minuteOf, type TextLimits } from './answer-rows.ts'

/** The first fix takes at most 300 tokens. */
export const FIX_LIMITS: TextLimits = {
  ...{
    project: 8,
    title: 12,
    said: 45,
    check: 30,
    command: 60,
    file: 24,
    old: 35,
    new: 60,
    between: 12,
    other: 24,
  },
}
export const COMMAND_LIMITS: TextLimits = { command: 60, project: 8, cwd: 20, other: 24 }
const MOST_BETWEEN = 4

export function fixRow({
  session,
  match,
  tool,
  check,
  exitCode,
  said,
  passed,
  passedAs,
  step,
  between,
  changed,
}: FoundFix) {
  return {
    session: session.key,
    project: session.project.name,
    // so that an agent can request the messages around it
    message: shortKey((step ?? passed).messageKey),
    at: minuteOf(passed.timestamp),
    same: sameOf(match),
    said,
    check: check === '' ? toolLabel(tool) : check,
    exit: exitCode,
    // `npm test` for `npm test -- cart`
    passedAs,
    fix: step === null ? null : stepRow(step),
    noFix: step === null ? 'It only ran again. Nothing is recorded in between.' : null,
    between: betweenOf(between),
    changed: changedOf(changed),
  }
}

function sameOf({ share, isExact }: FoundFix['match']): string | null {
  const parts = [
    ...(isExact ? [] : ['other numbers']),
    ...(share === 1 ? [] : [`${Math.round(share * 100)} % of the lines`]),
  ]
  return parts.length === 0 ? null : `Not quite the same: ${parts.join(', ')}`
}

function stepRow(step: NonNullable<FoundFix['step']>) {
  return step.kind === 'command'
    ? { command: step.command }
    : { file: step.file, old: step.old, new: step.new }
}

/** The last ones, without duplicates. */
function betweenOf(names: readonly string[]): string[] {
  const different = [...new Set(names)]
  if (different.length < 2) return []
  const left = different.length - MOST_BETWEEN
  return [...(left > 0 ? [`${left} before`] : []), ...different.slice(-MOST_BETWEEN)]
}

function changedOf({ files, of, unknown }: FoundFix['changed']): string | null {
  if (of === 0) return null
  const notKnown = unknown === 0 ? '' : `, ${unknown} unknown`
  return `${files} of ${formatPlural(of, 'file')} changed since, as recorded${notKnown}`
}

export function commandRow({
  session,
  command,
  folder,
  state,
  worked,
  failed,
  exitCode,
  messageKey,
  timeMs,
}: ProjectCommand) {
  return {
    command,
    ended: state,
    exit: exitCode,
    worked,
    failed: failed === 0 ? null : failed,
    at: minuteOf(new Date(timeMs).toISOString()),
    cwd: folder ?? session.project.path,
    project: session.project.name,
    session: session.key,
    message: shortKey(messageKey),
  }
}

function shortKey(key: string): string {
  return key.slice(0, MESSAGE_KEY_LENGTH)
}
