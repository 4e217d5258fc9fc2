import './session-head.css'
import { areToolsRecorded } from '@gemini-dash/api/tools-recorded'
import { verdictParts } from '@gemini-dash/api/verdict-words'
import { Link } from '@tanstack/react-router'
import type { SessionSummary, VerdictKind } from 'gemini-sessions'
import {
  CircleCheck,
  CircleDashed,
  CircleQuestionMark,
  CircleSlash,
  CircleX,
  type LucideIcon,
  TriangleAlert,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { ShownDetail } from '../../api/session.ts'
import { MachineText } from '../../content/machine-text.tsx'
import { formatClock, formatDateTime } from '../../lib/dates.ts'
import {
  describeCost,
  formatCost,
  formatCount,
  formatDuration,
  formatFineUsd,
  formatPercent,
  formatPlural,
  formatTokens,
} from '../../lib/figures.ts'
import { usePaper } from '../../lib/paper.ts'
import { ownShare, SUPERSEDED_WORD, sessionLengthMs } from '../../lib/session-words.ts'
import { Icon } from '../../ui/icons.tsx'
import { ToMessage } from '../../ui/to-message.tsx'

const MINUTE_MS = 60_000

/** A part of the line of facts, with details in the tooltip. */
interface HeadFact {
  text: string
  title: string
}

/** Totals of a session including sub-agents, as in a list: everything recorded, as billed. */
export function headTotals(detail: ShownDetail, hasPrices: boolean): HeadFact {
  const { session } = detail
  const { cost } = session.withSubagents
  const parts = [
    turnWords(detail),
    toolWords(session),
    refusedWords(session),
    tokenWords(session),
    hasPrices && cost !== null && formatCost(cost),
  ]
  return { text: joined(parts), title: detailLines(detail, hasPrices).join('\n') }
}

/**
 * `Finished Nov 20, 12:21, 47 min active`; for a running session, its start. `active` is the last part, '' if unknown. null if no time is
 * recorded.
 */
export function headTime(
  { session, figures, beginning }: ShownDetail,
  now: Date,
): (HeadFact & { active: string }) | null {
  const { startTime, endTime, live, verdict } = session
  const time = live ? startTime : (endTime ?? startTime)
  if (time === null) return null
  // the verdict implies that it ended, unless it is about something broken
  const isBroken = verdict?.kind === 'neverRerun' || verdict?.kind === 'stillFailing'
  const opening = live ? 'Started ' : isBroken ? 'Finished ' : ''
  const { activeMs } = figures
  const lengthMs = sessionLengthMs(session) ?? 0
  const wholeMs = activeMs < MINUTE_MS ? activeMs : Math.round(activeMs / MINUTE_MS) * MINUTE_MS
  const active = beginning === undefined && activeMs > 0 ? `${formatDuration(wholeMs)} active` : ''
  return {
    text: joined([`${opening}${formatDateTime(time, now)}`, active]),
    active,
    title: lengthMs > 0 ? `${formatDuration(lengthMs)} from the first to the last record` : '',
  }
}

/** Number of failed tool calls and their outcome; null if none failed or the verdict says the same. */
export function headFailures({ verdict, fates, withSubagents }: SessionSummary): string | null {
  const tools = withSubagents.failures?.tools ?? 0
  if (tools === 0) return null
  if (fates?.laterSucceeded === tools) return `${formatCount(tools)} failed, later succeeded`
  if (verdict?.kind === 'neverRerun' && fates?.neverRerun === tools) return null
  return `${formatCount(tools)} failed`
}

function turnWords({ session, outline, beginning }: ShownDetail): string | false {
  const turns = outline.filter(({ number }) => number > 0)
  const count = beginning === undefined ? turns.length : (session.recorded?.turns ?? 0)
  return count > 0 && formatPlural(count, 'turn')
}

function toolWords(session: SessionSummary): string | false {
  const { toolCalls } = session.withSubagents
  if (toolCalls === null) return false
  if (!areToolsRecorded(session)) return 'tool calls not recorded'
  return formatPlural(toolCalls, 'tool call')
}

function refusedWords({ withSubagents }: SessionSummary): string | false {
  const refused = withSubagents.failures?.refused ?? 0
  return refused > 0 && formatPlural(refused, 'API error')
}

function tokenWords({ withSubagents, copiedFrom }: SessionSummary): string | false {
  const { usage } = withSubagents
  if (usage === null) return false
  const isCountedElsewhere = usage.calls === 0 && copiedFrom !== null
  const isRecorded = usage.calls > usage.callsWithoutTokens || isCountedElsewhere
  return isRecorded && `${formatTokens(usage.total)} tokens`
}

/** Details that the Cost tab shows in full. */
function detailLines(detail: ShownDetail, hasPrices: boolean): string[] {
  const { session, figures, outline } = detail
  const { usage, cost } = session.withSubagents
  const own = ownShare(session)
  const superseded = new Map<string, number>()
  for (const { superseded: cause } of outline) {
    if (cause !== null)
      superseded.set(SUPERSEDED_WORD[cause], (superseded.get(SUPERSEDED_WORD[cause]) ?? 0) + 1)
  }
  const lines = [
    ...[...superseded].map(([word, turns]) => `${formatPlural(turns, 'turn')} ${word}`),
    ...(usage === null
      ? []
      : [
          formatPlural(usage.calls, 'request'),
          `Input ${formatCount(usage.input)}${usage.input > 0 ? `, ${formatPercent(usage.cached / usage.input)} cached` : ''}`,
          `Output ${formatCount(usage.output)}`,
          usage.thoughts > 0 && `Thinking ${formatCount(usage.thoughts)}`,
          usage.tool > 0 && `Tool ${formatCount(usage.tool)}`,
        ]),
    hasPrices && describeCost(cost),
    hasPrices &&
      (figures.savedByCache.usd ?? 0) > 0 &&
      `The cache saved ${formatFineUsd(figures.savedByCache.usd ?? 0)}`,
    own !== null && `Without sub-agents: ${own.tokens} tokens${hasPrices ? `, ${own.cost}` : ''}`,
  ]
  return lines.filter((line): line is string => typeof line === 'string' && line !== '')
}

function joined(parts: readonly (string | false)[]): string {
  return parts.filter((part) => part !== false && part !== '').join(', ')
}

const SIGNS: Record<VerdictKind, LucideIcon | null> = {
  finished: CircleCheck,
  // shown as a pulsing dot instead
  running: null,
  stopped: CircleSlash,
  declined: CircleSlash,
  midAnswer: CircleSlash,
  apiError: CircleX,
  noReply: CircleQuestionMark,
  stillFailing: CircleX,
  neverRerun: TriangleAlert,
  damaged: TriangleAlert,
  empty: CircleDashed,
  none: CircleDashed,
}

interface Props {
  sessionRef: string
  session: SessionSummary
  /** Reference time for the running duration; null to omit it. */
  now: Date | null
}

/** How the session ended. The command or last words link to their message; edits in between link to the changes. */
export function VerdictLine({ sessionRef, session: { verdict }, now }: Props) {
  const isOnPage = usePaper() === null
  if (verdict === null) return null
  const { kind, messageKey } = verdict
  const { opening, rest } = verdictParts(verdict, formatClock, now?.getTime())
  const sign = SIGNS[kind]
  const toMessage = (children: ReactNode) =>
    messageKey === null ? (
      children
    ) : (
      <ToMessage {...{ sessionRef, messageKey }} call={null} className="verdict-link">
        {children}
      </ToMessage>
    )
  const hasCommand = opening.includes('`') || rest.includes('`')
  const [, before = rest, between = '', after = ''] = /^(.*, )(\d+ edits? in between)(.*)$/s.exec(rest) ?? []
  return (
    <p className={`verdict ${kind}`}>
      {sign !== null && <Icon of={sign} />}
      <span>
        <b>
          {hasCommand || rest !== '' ? (
            <Words text={opening} link={toMessage} />
          ) : (
            toMessage(<Words text={opening} />)
          )}
        </b>
        {rest !== '' && ' '}
        {hasCommand ? (
          <Words text={before} link={opening.includes('`') ? undefined : toMessage} />
        ) : (
          rest !== '' && toMessage(<Words text={before} />)
        )}
        {between !== '' && !isOnPage && between}
        {between !== '' && isOnPage && (
          <Link
            from="/s/$key"
            to="/s/$key"
            params={{ key: sessionRef }}
            search={(search) => ({ ...search, view: 'changes' as const })}
            className="verdict-link"
          >
            {between}
          </Link>
        )}
        <Words text={after} />
      </span>
    </p>
  )
}

/** Commands are in backticks; the first one is passed to `link`. */
function Words({ text, link }: { text: string; link?: ((children: ReactNode) => ReactNode) | undefined }) {
  return (
    <span dir="auto">
      {text.split('`').map((piece, index) => {
        if (index % 2 === 0) return <MachineText key={index} text={piece} />
        const code = (
          <code className="mono">
            <MachineText text={piece} />
          </code>
        )
        return <span key={index}>{index === 1 && link !== undefined ? link(code) : code}</span>
      })}
    </span>
  )
}
