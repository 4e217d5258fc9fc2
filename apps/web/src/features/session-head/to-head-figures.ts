import type { SessionDetail } from '@gemini-dash/api'
import { areToolsRecorded } from '@gemini-dash/api/tools-recorded'
import type { Turn } from 'gemini-sessions'
import type { ShownDetail } from '../../api/session/opening.ts'
import type { FigureName } from '../../content/explain/explain-context.ts'
import {
  describeCost,
  formatCount,
  formatDuration,
  formatFineCost,
  formatFineUsd,
  formatPercent,
  formatPlural,
  formatTokens,
} from '../../lib/figures/format.ts'
import { ownShare, withOwn } from '../../lib/session/own-share.ts'
import { sessionLengthMs } from '../../lib/session/session-length.ts'
import { SUPERSEDED_MEANING, SUPERSEDED_WORD } from '../../lib/session/superseded-word.ts'

/** What stands behind the time. */
export const WHOLE_TIME = 'from start to end'

export interface HeadFigure {
  label: string
  value: string
  /** What `value` stands for, where that is a short form of tokens. */
  tokens?: number
  /** `messageKey`: where (the first of) that is. `isFailure`: in red. `isSide`: of no interest at the first look. */
  notes: { text: string; title?: string; messageKey?: string; isFailure?: boolean; isSide?: boolean }[]
  title?: string
  /** What of the session's sum it is; it opens how that came about. */
  explains?: FigureName
  /** Of one of the five that matter first: how it reads after its value. */
  unit?: string
}

/**
 * The totals of a session with its sub-agents, as in a list: everything that was ever recorded, as it was billed. What of them is
 * its own, and what Gemini CLI has now, is noted beside them.
 */
export function toHeadFigures(detail: ShownDetail, hasPrices: boolean): HeadFigure[] {
  const { session, outline, figures } = detail
  const turns = outline.filter((turn) => turn.number > 0)
  const { activeMs, superseded } = figures
  const lengthMs = sessionLengthMs(session) ?? 0
  const isPartial = detail.beginning !== undefined
  return [
    isPartial
      ? UNKNOWN_TURNS
      : {
          label: 'Turns',
          value: formatCount(turns.length),
          notes: supersededNotes(turns),
          unit: turns.length === 1 ? 'turn' : 'turns',
        },
    ...toolFigures(detail),
    ...refusedFigure(detail),
    ...(isPartial
      ? [UNKNOWN_TIME]
      : lengthMs > 0
        ? [
            {
              label: 'From start to end',
              value: formatDuration(lengthMs),
              notes: notes(activeMs > 0 && `${formatDuration(activeMs)} active`),
              title: 'From its start to its last record; active: waiting for the model or a tool',
              unit: WHOLE_TIME,
            },
          ]
        : []),
    ...totalFigure(session),
    ...(hasPrices ? [costFigure(session)] : []),
    ...tokenFigures(detail),
    ...superseded.map(({ cause, usage, cost }) => ({
      label: capital(SUPERSEDED_WORD[cause]),
      value: formatPlural(usage.calls, 'call'),
      notes: notes(cost.usd === null ? 'counted' : `${formatFineCost(cost)}, billed`),
      title: SUPERSEDED_MEANING[cause],
      explains: 'calls' as const,
    })),
  ]
}

/** While only the beginning of the session was read. */
const UNKNOWN_TURNS: HeadFigure = { label: 'Turns', value: '-', notes: [], unit: 'turns' }
const UNKNOWN_TIME: HeadFigure = {
  label: 'From start to end',
  value: '-',
  notes: [],
  unit: WHOLE_TIME,
}

function totalFigure(session: SessionDetail['session']): HeadFigure[] {
  const { usage } = session.withSubagents
  const { copiedFrom } = session
  if (usage === null) return []
  const { input, cached, total, calls, callsWithoutTokens } = usage
  const isRecorded = calls > callsWithoutTokens
  const isCountedElsewhere = calls === 0 && copiedFrom !== null
  return [
    {
      label: 'Tokens',
      value: isRecorded || isCountedElsewhere ? formatTokens(total) : '-',
      ...(isRecorded && { tokens: total, explains: 'total' }),
      ...ownTitle(undefined, ownShare(session)?.tokens),
      notes: notes(input > 0 && `${formatPercent(cached / input)} cached`),
      unit: 'tokens',
    },
  ]
}

function tokenFigures({ session, figures }: SessionDetail): HeadFigure[] {
  const { kind, subagentKeys } = session
  const { usage } = session.withSubagents
  if (usage === null) return []
  const { input, cached, output, thoughts, tool, calls, callsWithoutTokens } = usage
  const saved = figures.savedByCache.usd ?? 0
  const all: (HeadFigure | false)[] = [
    {
      label: 'Model calls',
      value: formatCount(calls),
      // a saved chat repeats what its session has paid for
      notes: notes(
        kind === 'checkpoint' && 'counted in the session that was saved',
        callsWithoutTokens > 0 && `${formatCount(callsWithoutTokens)} without tokens`,
      ),
      explains: 'calls',
    },
    { ...tokens('Input tokens', input), explains: 'input' },
    input > 0 && {
      label: 'Cache hit rate',
      value: formatPercent(cached / input),
      notes: notes(
        saved > 0 && `${subagentKeys.length > 0 ? 'its own requests ' : ''}saved ${formatFineUsd(saved)}`,
      ),
      explains: 'cached',
    },
    { ...tokens('Output', output), explains: 'output' },
    thoughts > 0 && {
      ...tokens('Thoughts', thoughts),
      notes: notes(`${formatPercent(thoughts / (thoughts + output))} of the output`),
      explains: 'thoughts',
    },
    tool > 0 && { ...tokens('Tool tokens', tool), explains: 'tool' },
  ]
  return all.filter((figure) => figure !== false)
}

function tokens(label: string, count: number): HeadFigure {
  return { label, value: formatTokens(count), tokens: count, notes: [] }
}

function toolFigures({ session, figures }: SessionDetail): HeadFigure[] {
  const { counts, recorded } = session
  const { toolCalls, failures } = session.withSubagents
  if (counts === null || recorded === null || toolCalls === null) return []
  const label = 'Tool calls'
  if (!areToolsRecorded(session))
    return [{ label, value: '-', notes: notes('not recorded'), unit: 'tool calls' }]
  const tools = failures?.tools ?? 0
  const messageKey = figures.failedCalls?.messageKey
  const held = heldNow(recorded.toolCalls, counts.toolCalls)
  return [
    {
      label,
      value: formatCount(toolCalls),
      ...ownTitle(undefined, ownShare(session)?.toolCalls),
      notes: [
        ...(tools > 0
          ? [{ text: `${formatCount(tools)} failed`, isFailure: true, ...(messageKey && { messageKey }) }]
          : []),
        ...(held === null ? [] : [{ text: held, isSide: true }]),
      ],
      unit: toolCalls === 1 ? 'tool call' : 'tool calls',
    },
  ]
}

/** A request that the API refused is no tool call, and none that failed. */
function refusedFigure({ session, outline }: SessionDetail): HeadFigure[] {
  const refused = session.withSubagents.failures?.refused ?? 0
  const own = session.failures?.refused ?? 0
  if (refused === 0) return []
  return [
    {
      label: 'Refused requests',
      value: formatCount(refused),
      title: 'Requests that the API answered with an error',
      notes:
        own === 0
          ? []
          : [
              {
                text: own === 1 ? 'the refusal' : 'the first refusal',
                isFailure: true,
                ...refusedAt(outline),
              },
            ],
      unit: refused === 1 ? 'refused request' : 'refused requests',
    },
  ]
}

/** Where the first refused request is told, or the prompt that has no answer for it. */
function refusedAt(outline: readonly Turn[]): { messageKey?: string } {
  const turn = outline.find(({ failure, superseded }) => failure !== null || superseded === 'aborted')
  return turn === undefined ? {} : { messageKey: turn.failure?.noticeKey ?? turn.messageKey }
}

function costFigure(session: SessionDetail['session']): HeadFigure {
  const { cost } = session.withSubagents
  const unpriced = cost?.unpricedCalls ?? 0
  const own = session.subagentKeys.length === 0 ? null : formatFineCost(session.cost)
  return {
    label: 'Cost',
    value: formatFineCost(cost),
    ...ownTitle(describeCost(cost), ownShare(session)?.cost),
    notes: [
      ...notes(unpriced > 0 && `${formatPlural(unpriced, 'call')} of unknown price`),
      ...(own === null ? [] : [{ text: `of which own: ${own}`, isSide: true }]),
    ],
    explains: 'cost',
    unit: 'cost',
  }
}

function ownTitle(title: string | undefined, own: string | undefined): { title?: string } {
  const text = withOwn(title, own)
  return text === undefined ? {} : { title: text }
}

function notes(...texts: (string | false | null)[]): HeadFigure['notes'] {
  return texts.flatMap((text) => (text === false || text === null ? [] : { text }))
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** `2 taken back`, `1 not answered`, `3 summarised`, each with the first of them; nothing where every turn stands. */
function supersededNotes(turns: readonly Turn[]): HeadFigure['notes'] {
  const found = new Map<NonNullable<Turn['superseded']>, { count: number; messageKey: string }>()
  for (const { superseded, messageKey } of turns) {
    if (superseded === null) continue
    const known = found.get(superseded)
    if (known === undefined) found.set(superseded, { count: 1, messageKey })
    else known.count += 1
  }
  return [...found].map(([cause, { count, messageKey }]) => ({
    text: `${formatCount(count)} ${SUPERSEDED_WORD[cause]}`,
    title: SUPERSEDED_MEANING[cause],
    messageKey,
  }))
}

/** `7 in the current conversation` of 9 that were ever recorded: the others were rewound, compacted or replaced. null: all of them. */
function heldNow(recorded: number, live: number): string | null {
  return recorded === live ? null : `${formatCount(live)} in the current conversation`
}
