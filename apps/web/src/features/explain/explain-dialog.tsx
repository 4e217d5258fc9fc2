import './explain-dialog.css'
import type {
  CallExplanation,
  CostReport,
  SessionCost,
  TokenRecord,
  UnknownCostReason,
} from '@gemini-dash/api'
import { formatExactUsd } from '@gemini-dash/api/figures'
import { sessionPath } from '@gemini-dash/api/paths'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Cost, TokenUsage } from 'gemini-sessions'
import { ArrowLeft } from 'lucide-react'
import { flushSync } from 'react-dom'
import { useHasPrices } from '../../api/queries.ts'
import { sessionAnswerQuery } from '../../api/session-answer.ts'
import { usageSumQuery } from '../../api/usage.ts'
import {
  ExplainButton,
  type Explained,
  type FigureName,
  type UsageScope,
} from '../../content/explain-button.tsx'
import { SupersededWord } from '../../content/superseded-word.tsx'
import { formatClock, formatCount, formatDate, formatPlural } from '../../lib/figures.ts'
import { SUPERSEDED_WORD } from '../../lib/session-words.ts'
import { IconButton } from '../../ui/buttons/icon-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Disclosure } from '../../ui/disclosure.tsx'
import { Failed } from '../../ui/states.tsx'
import { type DataColumn, DataTable } from '../../ui/table.tsx'
import { SumTable, TermTable, TokenTable } from './tables.tsx'

interface Props {
  sessionRef: string | undefined
  figure: Explained
  onJump: ((messageKey: string, offset: number | null) => void) | undefined
  /** How many figures led here; the first is 1. */
  depth: number
  onBack: () => void
  onClose: () => void
}

/** How a figure came about: rates, terms and tier, and the records that it is made of. */
export default function ExplainDialog({ sessionRef, figure, onJump, depth, onBack, onClose }: Props) {
  const jump: Props['onJump'] =
    onJump &&
    ((messageKey, offset) => {
      // the focus is back in the page before the page gives it to the message
      flushSync(onClose)
      onJump(messageKey, offset)
    })
  return (
    <Dialog
      title={titleOf(figure)}
      shape="side"
      page={depth}
      lead={depth > 1 && <IconButton icon={ArrowLeft} label="Back" onClick={onBack} />}
      onClose={onClose}
    >
      <div className="explain">
        <Body figure={figure} sessionRef={sessionRef} onJump={jump} />
      </div>
    </Dialog>
  )
}

function Body({ figure, sessionRef: shown, onJump }: Omit<Props, 'depth' | 'onBack' | 'onClose'>) {
  if (figure.kind === 'usage') return <ExplainUsage scope={figure.scope} figure={figure.figure} />
  const sessionRef = ('sessionRef' in figure ? figure.sessionRef : undefined) ?? shown
  if (sessionRef === undefined) return null
  if (figure.kind === 'call')
    return <ExplainCall sessionRef={sessionRef} messageKey={figure.messageKey} figure={figure.figure} />
  const turn = figure.kind === 'turn' ? figure.number : undefined
  return (
    <>
      <ExplainSum
        sessionRef={sessionRef}
        turn={turn}
        figure={figure.figure}
        onJump={sessionRef === shown ? onJump : undefined}
      />
      {turn === undefined && <StatsNote />}
    </>
  )
}

function titleOf(figure: Explained): string {
  switch (figure.kind) {
    case 'call':
      return 'How this call is counted'
    case 'turn':
      return `How turn ${figure.number} is counted`
    case 'session':
      return 'How this session is counted'
    case 'usage':
      return `How it is counted: ${figure.name}`
  }
}

/** What /stats of the CLI does, by the source of 0.61.0 (uiTelemetry); other versions may differ. */
function StatsNote() {
  return (
    <Disclosure head="Why /stats in Gemini CLI differs">
      {() => (
        <ul className="explain-notes">
          <li>
            It counts the requests of the running process. /clear starts at zero, and a resumed session counts
            only the remaining messages.
          </li>
          <li>
            After a resume, rewound and compressed messages are missing there. Here they count, because they
            were billed.
          </li>
          <li>
            It also counts requests that leave no message in the file, such as those for summaries and
            compression, and those that failed.
          </li>
          <li>
            Its requests of sub-agents are in the same sum; here a sub-agent is a session of its own, added
            beside its parent.
          </li>
          <li>
            Its input leaves the cached tokens out, and its output the thoughts. It shows tokens, no prices.
          </li>
          <li>A shell command that ended with an error code is a success there, and a failed call here.</li>
        </ul>
      )}
    </Disclosure>
  )
}

interface ExplainCallProps {
  sessionRef: string
  messageKey: string
  figure: FigureName | undefined
}

/** One call: its recorded tokens, the price of its day, the tier that its input chose, each product, and its records. */
function ExplainCall({ sessionRef, messageKey, figure }: ExplainCallProps) {
  const { data, error, refetch } = useQuery(
    sessionAnswerQuery('messages/:messageKey/cost', sessionRef, { messageKey }),
  )
  if (error !== null)
    return <Failed what="The price could not be read." error={error} onRetry={() => void refetch()} />
  if (data === undefined) return null
  const { terms, usd, reason, formula, usage, superseded, records } = data
  return (
    <>
      {usage !== null && <TokenTable usage={usage} figure={figure} />}
      {superseded !== null && <p>It was {SUPERSEDED_WORD[superseded]} later. It was billed, so it counts.</p>}
      {reason !== null && (
        <p>
          {usd === null ? 'Its cost is not known' : 'It cost more than this'}: {UNKNOWN_REASON[reason]}.
        </p>
      )}
      <PriceLine explanation={data} />
      {terms.length > 0 && <TermTable terms={terms} usd={usd} />}
      {formula !== null && <p className="explain-formula">{formula}</p>}
      <ExplainRecords
        records={records}
        rawHref={sessionPath('messages/:messageKey/raw', sessionRef, { messageKey })}
      />
    </>
  )
}

function PriceLine({ explanation: { model, price, tier, caveat } }: { explanation: CallExplanation }) {
  if (price === null) return null
  const isRenamed = model.priced !== model.recorded && model.priced !== null
  const tierText = tier === null ? '' : tierWords(tier.aboveInputTokens, tier.upToInputTokens)
  return (
    <p>
      {model.recorded}
      {isRenamed && `, priced as ${model.priced}${model.alias === null ? '' : ' by prices.json'}`} on{' '}
      {price.day}, at {price.source === 'user' ? 'your own price' : 'list price'} ({price.edition}
      {price.since !== null && `, in force since ${price.since}`})
      {tier !== null &&
        tierText !== '' &&
        `, ${tierText}. This one sent ${formatCount(tier.inputTokens)}, and all its tokens go by that rate`}
      .{caveat && ` ${caveat}`}
    </p>
  )
}

const FIELDS = [
  ['Input', 'input'],
  ['Cached', 'cached'],
  ['Output', 'output'],
  ['Thoughts', 'thoughts'],
] as const

interface ExplainRecordsProps {
  records: readonly TokenRecord[]
  rawHref: string
}

/** The rows of the files that the figures of a call stand in: which of them counts, and the way to the raw one. */
function ExplainRecords({ records, rawHref }: ExplainRecordsProps) {
  const files = [...new Set(records.map(({ file }) => file))]
  return (
    <section className="explain-rate">
      <h3>Records</h3>
      {records.length > 1 && (
        <p className="dim">
          Recorded {formatPlural(records.length, 'time')} in the session’s files. It is one call: the last
          tokens above 0 count, the others are in no sum.
        </p>
      )}
      {records.length > 0 && (
        <DataTable
          label="Records of this call"
          className="explain-parts"
          rows={records}
          keyOf={({ file, line, index }) => `${file} ${line} ${index}`}
          rowClass={({ isCounted }) => !isCounted && 'dim'}
          columns={[
            {
              name: 'Place',
              title: ({ file }) => file,
              cell: ({ file, line, index, isCounted }) => (
                <>
                  {recordPlace({ line, index })}
                  {records.length > 1 && isCounted && <b>, counts</b>}
                  {files.length > 1 && <small>{fileName(file)}</small>}
                </>
              ),
            },
            ...FIELDS.map(([name, field]) => ({
              name,
              isFigure: true,
              cell: ({ usage }: TokenRecord) => formatCount(usage[field]),
            })),
          ]}
        />
      )}
      <p className="explain-file">
        {files.length === 1 && <span>{fileName(files[0] ?? '')}</span>}
        <a className="link" href={rawHref} target="_blank" rel="noreferrer">
          Raw record
        </a>
      </p>
    </section>
  )
}

/** Why there is no price, or none for a part. */
const UNKNOWN_REASON: Record<UnknownCostReason, string> = {
  'no-tokens': 'no tokens are recorded',
  'no-breakdown': 'only the total of its tokens is recorded',
  'bad-numbers': 'its recorded tokens are no counts',
  'unknown-figures': 'some of its tokens have a name or a form that is not known',
  'mixed-output':
    'its output is priced as text; pictures, sound and video cost more, and the log does not tell them apart',
  'bad-time': 'its time cannot be read',
  'no-model': 'its model is not recorded',
  'routing-name': 'the recorded name stands for a choice between models',
  'unknown-model': 'the price list does not know its model',
  'unpriced-model': 'the price list has no price for its model',
  plan: 'prices are switched off (“plan”: “nothing” in prices.json)',
}

/** `for calls of at most 200,000 input tokens`; '' where one price holds for all. */
function tierWords(aboveInputTokens: number, upToInputTokens: number | null): string {
  if (aboveInputTokens > 0) return `for calls of more than ${formatCount(aboveInputTokens)} input tokens`
  return upToInputTokens === null ? '' : `for calls of at most ${formatCount(upToInputTokens)} input tokens`
}

/** `line 35`, `line 1, message 3`, `message 3`; the file itself where it is one record. */
function recordPlace({
  line,
  index,
}: {
  line?: number | null | undefined
  index?: number | null | undefined
}): string {
  const parts = [line == null ? [] : `line ${line}`, index == null ? [] : `message ${index + 1}`]
  return parts.flat().join(', ') || 'record'
}

function fileName(path: string): string {
  return path.split('/').at(-1) ?? path
}

interface ExplainSumProps {
  sessionRef: string
  turn: number | undefined
  figure: FigureName | undefined
  /** undefined: the session is not the one of the page. */
  onJump: ((messageKey: string, offset: number) => void) | undefined
}

/** A sum over calls: its tokens, with those of sub-agents, then its own cost by model, price and tier, and its calls. */
function ExplainSum({ sessionRef, turn, figure, onJump }: ExplainSumProps) {
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
        {formatPlural(usage.calls, 'model call')}, {formatCount(usage.total)} tokens in total
        {cost.usd !== null && `, ${formatExactUsd(cost.usd)} at list price`}
        {family !== null && ', without sub-agents'}.
        {hasPrices && ' Each call is billed at the rates of its own day, model and input.'}
        {data.caveat && ` ${data.caveat}`}
      </p>
      {rates.map((rate) => (
        <Rate key={`${rate.model} ${rate.since} ${rate.aboveInputTokens}`} rate={rate} />
      ))}
      <ExplainNotes report={data} />
      <ExplainCalls
        calls={calls}
        total={usage.calls}
        sessionRef={sessionRef}
        rawHref={(messageKey) => sessionPath('messages/:messageKey/raw', sessionRef, { messageKey })}
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
            {reason === 'unknown-figures' || reason === 'mixed-output'
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

type Call = CostReport['calls'][number]

interface ExplainCallsProps {
  calls: readonly Call[]
  total: number
  sessionRef: string
  rawHref: (messageKey: string) => string
  hasPrices: boolean
  /** undefined: the messages stand on another page. */
  onJump: ((messageKey: string, offset: number) => void) | undefined
}

/** The calls of a sum, those that cost or took most first, each with its record. */
function ExplainCalls({ calls, total, sessionRef, rawHref, hasPrices, onJump }: ExplainCallsProps) {
  if (calls.length === 0) return null
  const files = [...new Set(calls.map(({ source }) => source.file))]
  const explained = (
    name: string,
    figure: 'total' | 'cost',
    write: (call: Call) => string,
  ): DataColumn<Call> => ({
    name,
    isFigure: true,
    cell: (call) => (
      <ExplainButton of={{ kind: 'call', messageKey: call.messageKey, sessionRef, figure }} name="">
        {write(call)}
      </ExplainButton>
    ),
  })
  return (
    <section className="explain-rate">
      <h3>{calls.length < total ? `The largest ${calls.length} of ${formatCount(total)} calls` : 'Calls'}</h3>
      {files.length === 1 && (
        <p className="dim" title={files[0]}>
          Recorded in {fileName(files[0] ?? '')}
        </p>
      )}
      <DataTable
        label="Calls, largest first"
        className="explain-parts"
        rows={calls}
        keyOf={({ messageKey }) => messageKey}
        columns={[
          {
            name: 'Call',
            cell: (call) => (
              <>
                <CallLink call={call} sessionRef={sessionRef} onJump={onJump} />
                {call.superseded !== null && (
                  <small>
                    <SupersededWord cause={call.superseded} />
                  </small>
                )}
              </>
            ),
          },
          explained('Tokens', 'total', ({ usage }) => (usage === null ? 'none' : formatCount(usage.total))),
          ...(hasPrices
            ? [explained('Cost', 'cost', ({ usd }) => (usd === null ? 'unknown' : formatExactUsd(usd)))]
            : []),
          {
            name: 'Record',
            cell: ({ messageKey, source }) => (
              <>
                <a
                  className="link"
                  href={rawHref(messageKey)}
                  target="_blank"
                  rel="noreferrer"
                  title={source.file}
                >
                  {recordPlace(source)}
                </a>
                {files.length > 1 && <small>{fileName(source.file)}</small>}
              </>
            ),
          },
        ]}
      />
    </section>
  )
}

function CallLink({
  call,
  sessionRef,
  onJump,
}: { call: Call } & Pick<ExplainCallsProps, 'sessionRef' | 'onJump'>) {
  const { messageKey, offset, timestamp } = call
  return (
    <Link
      className="link"
      to="/s/$key"
      params={{ key: sessionRef }}
      hash={`m-${messageKey}`}
      onClick={(event) => {
        if (onJump === undefined) return
        event.preventDefault()
        onJump(messageKey, offset)
      }}
    >
      {timestamp === null ? 'no time' : formatClock(timestamp, 'seconds')}
    </Link>
  )
}

interface ExplainUsageProps {
  scope: UsageScope
  figure: FigureName | undefined
}

/** A figure of the usage page: by field, by model, and by the sessions that each explain themselves. */
function ExplainUsage({ scope, figure }: ExplainUsageProps) {
  const { data, error, refetch } = useQuery(usageSumQuery(scope))
  const hasPrices = useHasPrices()
  if (error !== null)
    return <Failed what="The sums could not be read." error={error} onRetry={() => void refetch()} />
  if (data === undefined) return null
  const { total, models, sessions, sessionTotal } = data
  const { usage, cost } = total
  const unpriced = hasPrices ? models.filter((model) => model.cost.unpricedCalls > 0) : []
  return (
    <>
      <p>
        {formatPlural(total.calls, 'model call')} in {formatPlural(sessionTotal, 'session')}, sub-agents
        included: {formatCount(usage.total)} tokens
        {cost.usd !== null && `, ${formatExactUsd(cost.usd)} at list price`}. A call belongs to the day on
        which it was made.
      </p>
      <TokenTable usage={usage} figure={figure} />
      <section className="explain-rate">
        <h3>By model</h3>
        <SumTable
          label="By model"
          head="Model"
          rows={models.map(({ name, ...figures }) => ({
            key: name,
            name,
            ...figures,
            ...(models.length > 1 && {
              explains: { kind: 'usage', name, scope: { ...scope, model: name } },
            }),
          }))}
          together={{ usage, cost }}
        />
      </section>
      <ul className="explain-notes">
        {usage.callsWithoutTokens > 0 && (
          <li>
            {formatPlural(usage.callsWithoutTokens, 'call')} without recorded tokens: counted as{' '}
            {usage.callsWithoutTokens === 1 ? 'a call' : 'calls'}, in no sum of tokens or cost.
          </li>
        )}
        {unpriced.map(({ name, cost: { unpricedCalls } }) => (
          <li key={name}>
            {formatPlural(unpricedCalls, 'call')} of {name} without a known price, or with one for a part.
            What is not known is in no sum.
          </li>
        ))}
        {sessionTotal !== total.sessions && (
          <li>
            {formatPlural(total.sessions, 'session')} went on in this time, also those without a call; a
            sub-agent is part of the session that started it.
          </li>
        )}
        <li>Rewound and compressed messages were billed, so they count. Copies of a request count once.</li>
      </ul>
      <section className="explain-rate">
        <h3>
          {sessions.length < sessionTotal
            ? `The costliest ${sessions.length} of ${formatCount(sessionTotal)} sessions`
            : 'Sessions'}
        </h3>
        <SumTable
          label="Sessions, costliest first"
          head="Session"
          rows={sessions.map(({ key, title, project, startTime, kind, ...figures }) => ({
            key,
            ...figures,
            explains: { kind: 'session', sessionRef: key },
            name: (
              <>
                <Link to="/s/$key" params={{ key }} className="link" title={title} dir="auto">
                  {title || key}
                </Link>
                <small dir="auto">
                  {[project, kind === 'subagent' && 'sub-agent', startTime && formatDate(startTime)]
                    .filter(Boolean)
                    .join(', ')}
                </small>
              </>
            ),
          }))}
        />
      </section>
    </>
  )
}
