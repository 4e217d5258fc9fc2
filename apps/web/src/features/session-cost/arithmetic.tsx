import type { CostTerm, SessionCost, SessionWhatIf } from '@gemini-dash/api'
import { toolLabel } from '@gemini-dash/api/tool-label'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ContextItem, Cost, WasteFinding, WasteKind } from 'gemini-sessions'
import type { ReactNode } from 'react'
import { sessionAnswerQuery } from '../../api/session-answer.ts'
import {
  describeCost,
  formatCount,
  formatExactUsd,
  formatFineCost,
  formatFineUsd,
  formatTokens,
} from '../../lib/figures.ts'
import { Disclosure } from '../../ui/disclosure.tsx'
import { Failed, SkeletonRows } from '../../ui/states.tsx'
import { type DataColumn, DataTable } from '../../ui/table.tsx'
import { ToMessage } from '../../ui/to-message.tsx'
import { COST_TEXT as TEXT } from './session-cost.tsx'

interface Props {
  sessionRef: string
  /** undefined until loaded. */
  report: SessionCost | undefined
  hasPrices: boolean
}

/** Every figure behind the cost, collapsed: each part loads when opened. */
export function Arithmetic({ sessionRef, report, hasPrices }: Props) {
  return (
    <section className="panel arithmetic" aria-label={TEXT.arithmetic}>
      <Disclosure
        head={
          <>
            <b>{TEXT.arithmetic}</b>
            <span className="dim wide-only">
              {hasPrices ? TEXT.arithmeticNote : TEXT.arithmeticWithoutPrices}
            </span>
          </>
        }
      >
        {() => (
          <>
            {hasPrices && report !== undefined && (
              <Part title={TEXT.bill}>
                <Bill report={report} />
                {report.unknown.map(({ reason, model, calls }) => (
                  <p key={`${reason} ${model}`} className="cost-note">
                    {TEXT.unpriced(calls, model, reason)}
                  </p>
                ))}
              </Part>
            )}
            <Part title={TEXT.mostResent} note={TEXT.mostResentNote}>
              <MostResent sessionRef={sessionRef} hasPrices={hasPrices} />
            </Part>
            {hasPrices && (
              <Part title={TEXT.otherPrices} note={TEXT.otherPricesNote}>
                <OtherPrices sessionRef={sessionRef} />
              </Part>
            )}
            <Part title={TEXT.repeatedWork} note={TEXT.repeatedWorkNote}>
              <RepeatedWork sessionRef={sessionRef} hasPrices={hasPrices} />
            </Part>
            {hasPrices && (
              <p className="panel-body cost-links meta">
                {report?.caveat ?? TEXT.listPrices}{' '}
                <Link to="/settings/{-$section}" params={{ section: 'prices' }} className="link">
                  {TEXT.editPrices}
                </Link>
              </p>
            )}
          </>
        )}
      </Disclosure>
    </section>
  )
}

function Part({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {note !== undefined && <p className="cost-note">{note}</p>}
      {children}
    </section>
  )
}

const TYPES: Record<CostTerm['kind'], string> = {
  input: TEXT.newInput,
  cached: TEXT.cachedInput,
  output: TEXT.output,
  thoughts: TEXT.thinking,
  tool: TEXT.tool,
}

interface BillRow {
  key: string
  /** Shown once for all lines of a rate. */
  model: ReactNode
  type: string
  tokens: number | null
  usdPerMillion: number | null
  usd: number | null
}

/** Tokens of each kind by model and rate with their cost, and the sub-agents. */
function Bill({ report }: { report: SessionCost }) {
  const all = report.family?.together ?? report
  return (
    <DataTable
      label={TEXT.bill}
      rows={toRows(report)}
      keyOf={({ key }) => key}
      columns={[
        { name: TEXT.model, cell: ({ model }) => model, foot: TEXT.total },
        { name: TEXT.type, cell: ({ type }) => type, foot: '' },
        {
          name: TEXT.tokens,
          isFigure: true,
          cell: ({ tokens }) => formatCount(tokens),
          foot: formatCount(all.usage?.total),
        },
        {
          name: TEXT.perMillion,
          isFigure: true,
          cell: ({ usdPerMillion }) => (usdPerMillion === null ? '' : `$${usdPerMillion}`),
          foot: '',
        },
        {
          name: TEXT.cost,
          isFigure: true,
          className: 'main',
          title: ({ usd }) => (usd === null ? undefined : formatExactUsd(usd)),
          cell: ({ usd }) => fourDecimals(usd),
          foot: fourDecimals(all.cost?.usd ?? null),
        },
      ]}
    />
  )
}

function toRows({ rates, family }: SessionCost): BillRow[] {
  const own = rates.flatMap(({ model, since, aboveInputTokens, terms }) => {
    const name = model ?? TEXT.unknownModel
    const rate = aboveInputTokens > 0 ? TEXT.aboveTokens(name, formatTokens(aboveInputTokens)) : name
    return terms
      .filter(({ tokens }) => tokens > 0)
      .map(
        ({ kind, ...term }, index): BillRow => ({
          key: `${rate} ${since} ${kind}`,
          model: index === 0 ? rate : '',
          type: TYPES[kind],
          ...term,
        }),
      )
  })
  const agents = (family?.subagents ?? []).map(
    ({ sessionKey, usage, cost }): BillRow => ({
      key: sessionKey,
      model: (
        <Link to="/s/$key" params={{ key: sessionKey }} search={{ view: 'cost' }} className="link">
          {TEXT.subagent}
        </Link>
      ),
      type: usage === null ? '' : TEXT.requestCount(usage.calls),
      tokens: usage?.total ?? null,
      usdPerMillion: null,
      usd: cost?.usd ?? null,
    }),
  )
  return [...own, ...agents]
}

function fourDecimals(usd: number | null): string {
  return usd === null ? TEXT.unknown : `$${usd.toFixed(4)}`
}

const FIRST_ROWS = 8

const COST: DataColumn<ContextItem> = {
  name: TEXT.cost,
  isFigure: true,
  className: 'main',
  cell: ({ resentUsd }) => (resentUsd === null ? TEXT.unknown : formatFineUsd(resentUsd)),
}

interface MostResentProps {
  sessionRef: string
  hasPrices: boolean
}

/** What was resent most and took the most tokens. */
function MostResent({ sessionRef, hasPrices }: MostResentProps) {
  const { data, error, refetch } = useQuery(sessionAnswerQuery('context', sessionRef))
  if (error !== null && data === undefined)
    return <Failed what={TEXT.contextNotLoaded} error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonRows count={4} label={TEXT.contextLoading} />
  const again = data.items.filter(({ sent }) => sent > 1)
  if (again.length === 0) return <p className="cost-note">{TEXT.nothingResent}</p>
  return (
    <DataTable
      label={TEXT.mostResent}
      rows={again}
      keyOf={({ messageKey, kind, call, name }, index) => `${messageKey} ${kind} ${call} ${name} ${index}`}
      pages={{ first: FIRST_ROWS, unit: 'piece' }}
      columns={[
        {
          name: TEXT.content,
          title: ({ label, name }) => label || name,
          cell: (item) => <Piece sessionRef={sessionRef} item={item} />,
        },
        { name: TEXT.tokens, isFigure: true, cell: ({ tokens }) => formatTokens(tokens) },
        { name: TEXT.timesSent, isFigure: true, cell: ({ sent }) => formatCount(sent) },
        ...(hasPrices ? [COST] : []),
      ]}
    />
  )
}

function Piece({ sessionRef, item }: { sessionRef: string; item: ContextItem }) {
  const { messageKey, turn, call, kind, label, name } = item
  if (kind === 'baseline') return TEXT.baseline
  return (
    <>
      <ToMessage sessionRef={sessionRef} messageKey={messageKey} call={call}>
        {pieceWord(item)}
        {turn > 0 && `, ${TEXT.inTurn(turn)}`}
      </ToMessage>{' '}
      <bdi>{kind === 'file' ? name : label}</bdi>
    </>
  )
}

function pieceWord({ kind, name }: ContextItem): string {
  switch (kind) {
    case 'prompt':
      return TEXT.prompt
    case 'file':
      return TEXT.file
    case 'answer':
      return TEXT.answer
    case 'tool-call':
      return TEXT.call(toolLabel(name))
    case 'tool-result':
      return TEXT.result(name === '' ? '' : toolLabel(name))
    default:
      return TEXT.context
  }
}

interface PriceRow {
  key: string
  name: string
  title?: string
  cost: Cost
  /** Shown by default: what was used, or was possible here. */
  isMain: boolean
}

/** What the same tokens would have cost otherwise, including sub-agents. */
function OtherPrices({ sessionRef }: { sessionRef: string }) {
  const asked = useQuery(sessionAnswerQuery('what-if', sessionRef))
  const { data, error, refetch } = asked
  if (error !== null && data === undefined)
    return <Failed what={TEXT.pricesNotLoaded} error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonRows count={4} label={TEXT.pricesLoading} />
  if (data.onModels.length === 0) return <p className="cost-note">{TEXT.noPrice}</p>
  const rows = toPriceRows(data).toSorted((a, b) => Number(b.isMain) - Number(a.isMain))
  return (
    <>
      <DataTable
        label={TEXT.otherPrices}
        rows={rows}
        keyOf={({ key }) => key}
        pages={{ first: rows.filter(({ isMain }) => isMain).length, unit: 'model' }}
        columns={[
          { name: TEXT.ifColumn, title: ({ title }) => title, cell: ({ name }) => name },
          {
            name: TEXT.cost,
            isFigure: true,
            className: 'main',
            title: ({ cost }) => describeCost(cost),
            cell: ({ cost }) => (cost.usd === null ? TEXT.unknown : formatFineCost(cost)),
          },
          { name: TEXT.difference, isFigure: true, cell: ({ cost }) => describeChange(data.cost, cost) },
        ]}
      />
      {data.agentsLeftOut > 0 && <p className="cost-note">{TEXT.withoutAgents(data.agentsLeftOut)}</p>}
    </>
  )
}

/** The actual cost and alternatives; alternatives that change nothing are left out. */
function toPriceRows({ cost, calls, withoutCache, atLowestTier, onModels }: SessionWhatIf): PriceRow[] {
  const { aboveInputTokens } = atLowestTier
  return [
    { key: 'actual', name: TEXT.actual, cost, isMain: true },
    ...(aboveInputTokens === null
      ? []
      : [
          {
            key: 'tier',
            name: TEXT.allUnder(formatTokens(aboveInputTokens)),
            title: TEXT.sentMore(atLowestTier.calls, calls),
            cost: atLowestTier.cost,
            isMain: true,
          },
        ]),
    ...onModels.map(({ model, cost: other, wasUsed }) => ({
      key: model,
      name: model,
      cost: other,
      isMain: wasUsed,
    })),
    ...(withoutCache.cachedTokens === 0
      ? []
      : [{ key: 'cache', name: TEXT.noCache, cost: withoutCache.cost, isMain: true }]),
  ]
}

/** `−$0.214`, `+$0.587`; '' between sums of different requests, or if the change is negligible. */
function describeChange(real: Cost, other: Cost): string {
  if (real.usd === null || other.usd === null || real.unpricedCalls !== other.unpricedCalls) return ''
  const change = other.usd - real.usd
  if (Math.abs(change) < 0.0005) return ''
  return `${change < 0 ? '−' : '+'}${formatFineUsd(Math.abs(change))}`
}

const WORDS: Record<WasteKind, (tool: string) => string> = TEXT.repeated

const REPEATED_COST: DataColumn<WasteFinding> = {
  name: TEXT.cost,
  isFigure: true,
  className: 'main',
  title: () => TEXT.ofRequests,
  cell: ({ rounds }) => (rounds.calls === 0 ? '-' : formatFineCost(rounds.cost)),
}

/** Redundant work: how often, what it added, and a link to each occurrence. */
function RepeatedWork({ sessionRef, hasPrices }: MostResentProps) {
  const { data, error, refetch } = useQuery(sessionAnswerQuery('waste', sessionRef))
  if (error !== null && data === undefined)
    return <Failed what={TEXT.repeatedNotLoaded} error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonRows count={3} label={TEXT.repeatedLoading} />
  if (data.findings.length === 0) return <p className="cost-note">{TEXT.noneFound}</p>
  return (
    <DataTable
      label={TEXT.repeatedWork}
      rows={data.findings}
      keyOf={({ kind, subject, places: [first] }) => `${kind} ${first?.messageKey} ${first?.call} ${subject}`}
      pages={{ first: FIRST_ROWS, unit: 'finding' }}
      columns={[
        {
          name: TEXT.what,
          title: ({ subject }) => subject,
          cell: ({ kind, tool, subject }) => (
            <>
              {WORDS[kind](toolLabel(tool))} <bdi className="dim">{subject}</bdi>
            </>
          ),
        },
        { name: TEXT.where, cell: ({ places }) => <Places places={places} sessionRef={sessionRef} /> },
        { name: TEXT.times, isFigure: true, cell: ({ places }) => formatCount(places.length) },
        {
          name: TEXT.added,
          isFigure: true,
          title: () => TEXT.addedTitle,
          cell: ({ tokens }) => (tokens === 0 ? '-' : formatTokens(tokens)),
        },
        {
          name: TEXT.requests,
          isFigure: true,
          title: () => TEXT.requestsTitle,
          cell: ({ rounds }) => (rounds.calls === 0 ? '-' : formatCount(rounds.calls)),
        },
        ...(hasPrices ? [REPEATED_COST] : []),
      ]}
    />
  )
}

/** More would make the row wider than the table. */
const MOST_PLACES = 4

function Places({ places, sessionRef }: { places: WasteFinding['places']; sessionRef: string }) {
  const left = places.length - MOST_PLACES
  return (
    <>
      {places.slice(0, MOST_PLACES).map(({ messageKey, call, turn }, index) => (
        <span key={`${messageKey} ${call}`}>
          {index > 0 && ', '}
          <ToMessage sessionRef={sessionRef} messageKey={messageKey} call={call}>
            {TEXT.inTurn(turn)}
          </ToMessage>
        </span>
      ))}
      {left > 0 && ` ${TEXT.andMore(left)}`}
    </>
  )
}
