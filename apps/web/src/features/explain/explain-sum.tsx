import type { CostReport, SessionCost } from '@gemini-dash/api'
import { formatExactUsd } from '@gemini-dash/api/figures'
import { apiPaths } from '@gemini-dash/api/paths'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Cost, TokenUsage } from 'gemini-sessions'
import { sessionAnswerQuery } from '../../api/session/session-answer.ts'
import type { FigureName } from '../../content/explain/explain-context.ts'
import { SupersededWord } from '../../content/text/superseded-word.tsx'
import { formatCount, formatPlural } from '../../lib/figures/format.ts'
import { Failed } from '../../ui/states/failed.tsx'
import { ExplainCalls } from './explain-calls.tsx'
import { tierWords, UNKNOWN_REASON } from './explain-words.ts'
import { SumTable } from './tables/sum-table.tsx'
import { TermTable } from './tables/term-table.tsx'
import { TokenTable } from './tables/token-table.tsx'

interface Props {
  sessionRef: string
  turn: number | undefined
  figure: FigureName | undefined
  /** undefined: the session is not the one of the page. */
  onJump: ((messageKey: string, offset: number) => void) | undefined
}

/** A sum over calls: its tokens, with those of sub-agents, then its own cost by model, price and tier, and its calls. */
export function ExplainSum({ sessionRef, turn, figure, onJump }: Props) {
  const { data, error, refetch } = useQuery(sessionAnswerQuery('cost', sessionRef, { turn }))
  if (error !== null)
    return <Failed what="The prices could not be read." error={error} onRetry={() => void refetch()} />
  if (data === undefined) return null
  const { usage, cost, rates, unknown, family, calls } = data
  const hasPrices = !unknown.some(({ reason }) => reason === 'plan')
  const all = family?.together ?? { usage, cost }
  return (
    <>
      {family !== null && <ExplainFamily family={family} own={{ usage, cost }} />}
      {all.usage !== null && all.usage.total > 0 && <TokenTable usage={all.usage} figure={figure} />}
      <p>
        {formatPlural(usage.calls, 'model call')}, {formatCount(usage.total)} tokens in all
        {cost.usd !== null && `, ${formatExactUsd(cost.usd)} at list price`}
        {family !== null && ', without sub-agents'}.
        {hasPrices && ' Each call is billed at the rates of its own day, model and input.'}
      </p>
      {rates.map((rate) => (
        <Rate key={`${rate.model} ${rate.since} ${rate.aboveInputTokens}`} rate={rate} />
      ))}
      <ExplainNotes report={data} />
      <ExplainCalls
        calls={calls}
        total={usage.calls}
        sessionRef={sessionRef}
        rawHref={(messageKey) => apiPaths.raw(sessionRef, messageKey)}
        hasPrices={hasPrices}
        onJump={onJump}
      />
    </>
  )
}

/** Calls that share a model, a price and a tier. */
function Rate({ rate }: { rate: SessionCost['rates'][number] }) {
  return (
    <section className="explain-rate">
      <h3>
        {rate.model}
        {rate.priced !== rate.model && ` as ${rate.priced}`}, {formatPlural(rate.calls, 'call')}
      </h3>
      <p className="dim">
        {rate.source === 'user' ? 'Your own price' : 'List price'} ({rate.edition}
        {rate.since !== null && `, in force since ${rate.since}`}){' '}
        {tierWords(rate.aboveInputTokens, rate.upToInputTokens)}
      </p>
      <TermTable terms={rate.terms} usd={rate.usd} />
    </section>
  )
}

/** What is in no sum and why, what was taken back and counts all the same, and what the cache saved. */
function ExplainNotes({ report }: { report: CostReport }) {
  const { unknown, superseded, savedByCache } = report
  const isOff = unknown.some(({ reason }) => reason === 'plan')
  const saved = savedByCache.usd ?? 0
  if (unknown.length === 0 && superseded.length === 0 && saved <= 0) return null
  return (
    <ul className="explain-notes">
      {isOff && <li>No costs: {UNKNOWN_REASON.plan}.</li>}
      {!isOff &&
        unknown.map(({ reason, model, calls }) => (
          <li key={`${reason} ${model}`}>
            {formatPlural(calls, 'call')}
            {model !== null && ` of ${model}`}
            {reason === 'unknown-figures'
              ? ` priced in part: ${UNKNOWN_REASON[reason]}.`
              : ` without a price: ${UNKNOWN_REASON[reason]}. In no sum, never $0.`}
          </li>
        ))}
      {superseded.map(({ cause, usage, cost }) => (
        <li key={cause}>
          <SupersededWord cause={cause} />: {formatPlural(usage.calls, 'call')}
          {cost.usd !== null && `, ${formatExactUsd(cost.usd)}`}. Billed, so counted here.
        </li>
      ))}
      {saved > 0 && <li>Without the cache it would have been {formatExactUsd(saved)} more.</li>}
    </ul>
  )
}

interface ExplainFamilyProps {
  family: NonNullable<SessionCost['family']>
  /** The session without them. */
  own: { usage: TokenUsage; cost: Cost }
}

/** The session and its sub-agents, apart and together. */
function ExplainFamily({ family: { subagents, together }, own }: ExplainFamilyProps) {
  return (
    <section className="explain-rate">
      <h3>With {formatPlural(subagents.length, 'sub-agent')}</h3>
      <SumTable
        label="The session and its sub-agents"
        head="Session"
        rows={[
          { key: 'own', name: 'this one', ...own },
          ...subagents.map(({ sessionKey, title, usage, cost }) => ({
            key: sessionKey,
            usage,
            cost,
            explains: { kind: 'session', sessionRef: sessionKey } as const,
            name: (
              <Link to="/s/$key" params={{ key: sessionKey }} className="link" title={title} dir="auto">
                {title || sessionKey}
              </Link>
            ),
          })),
        ]}
        together={together}
      />
    </section>
  )
}
