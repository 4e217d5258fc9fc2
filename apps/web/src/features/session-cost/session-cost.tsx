import type { CostWhy, SessionCost, UnknownCostReason } from '@gemini-dash/api'
import { costCaveat } from '@gemini-dash/api/source-names'
import { NO_KNOWN_PRICE, whyScope } from '@gemini-dash/api/why-labels'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Cost, SessionSummary, TokenUsage, Turn } from 'gemini-sessions'
import { sessionAnswerQuery } from '../../api/session-answer.ts'
import { SupersededWord } from '../../content/superseded-word.tsx'
import { WhyPanel } from '../../content/why-panel.tsx'
import { describeCost, formatCost, formatCount, formatPlural, formatTokens } from '../../lib/figures.ts'
import { Failed, SkeletonRows } from '../../ui/states.tsx'
import { type DataColumn, DataTable } from '../../ui/table.tsx'
import { ToMessage } from '../../ui/to-message.tsx'

/** Why requests are not, or not fully, included in a cost. */
const UNKNOWN_REASON: Record<UnknownCostReason, string> = {
  'no-tokens': 'no tokens are recorded',
  'no-breakdown': 'only the total of their tokens is recorded',
  'bad-numbers': 'their recorded tokens are no counts',
  'unknown-figures': 'priced in part, as some of their tokens have a name or a form that is not known',
  'mixed-output':
    'their output is priced as text; pictures, sound and video cost more, and the log does not tell them apart',
  'bad-time': 'their time cannot be read',
  'no-model': 'their model is not recorded',
  'routing-name': 'the recorded name is a router that chooses between models',
  'unknown-model': 'the price list does not know this model',
  'unpriced-model': 'the price list has no price for this model',
  plan: 'prices are switched off',
}

/** Texts of a session's Cost tab, besides the explanations (`@gemini-dash/api/why-labels`). */
export const COST_TEXT = {
  cost: 'Cost',
  tokens: 'Tokens',
  turn: 'Turn',
  requests: 'Requests',
  newInput: 'New input',
  cachedInput: 'Cached input',
  output: 'Output',
  thinking: 'Thinking',
  tool: 'Tool',
  total: 'Total',
  subagent: 'Sub-agent',
  unknown: 'unknown',
  contextNotLoaded: 'Couldn’t load the context.',
  contextLoading: 'Loading the context',

  whyNotLoaded: 'Couldn’t load why it cost that.',
  whyLoading: 'Loading why it cost that',
  why: (cost: string) => `Why it cost ${cost}`,
  whyWithoutPrice: 'Why it cost that',
  toSubagent: 'Go to the sub-agent',
  toPlace: 'Go there',
  toTurn: (turn: number | null) => `Go to turn ${turn}`,

  contextTitle: 'Context over time',
  contextNote: 'tokens per request, by turn',
  asChart: 'View as chart',
  asTable: 'View as table',
  requestsNotLoaded: 'Couldn’t load the requests.',
  atMost: (tokens: string) => `Context over time: at most ${tokens} tokens`,
  compressedTimes: (count: number) => `compressed ${formatPlural(count, 'time')}`,
  chartKeys: 'Arrow keys walk the requests, Enter opens the message.',
  request: (first: number, last: number) =>
    first === last ? `Request ${first}` : `Requests ${first} to ${last}`,
  sent: (request: string, turn: number | undefined, tokens: string) =>
    `${request}, turn ${turn}: ${tokens} tokens`,
  cachedOf: (tokens: string) => `${tokens} cached`,
  higherRate: 'Higher rate above this line',
  compressed: (before: string, after: string) => `Compressed, ${before} to ${after}`,
  contextTable: 'Context over time, table',
  requestColumn: 'Request',
  input: 'Input',
  cached: 'Cached',
  contextSplit: 'Input and cached are recorded; the split is estimated from text length.',
  contextKinds: {
    baseline: 'System and tools',
    sessionContext: 'Session context',
    prompts: 'Prompts',
    files: 'Attached files',
    answers: 'Answers and calls',
    unrecorded: 'Not recorded',
  },
  otherTools: 'Results of other tools',
  toolResults: (tool: string) => (tool === '' ? 'Tool results' : `${tool} results`),

  costByTurn: 'Cost by turn',
  tokensByTurn: 'Tokens by turn',
  beforeFirstPrompt: 'Before the first prompt',
  noText: 'A prompt without text',

  arithmetic: 'All the arithmetic',
  arithmeticNote: 'Bill, re-sent content, other prices, repeated work',
  arithmeticWithoutPrices: 'Re-sent content, repeated work',
  bill: 'Bill',
  model: 'Model',
  type: 'Type',
  perMillion: 'Per 1M',
  unknownModel: 'Unknown model',
  aboveTokens: (model: string, tokens: string) => `${model}, above ${tokens}`,
  requestCount: (count: number) => formatPlural(count, 'request'),

  mostResent: 'Most re-sent',
  mostResentNote:
    'Each request re-sends the context. Cost excludes the first time. Estimates, already included above.',
  nothingResent: 'Nothing was sent twice.',
  content: 'Content',
  timesSent: 'Times sent',
  baseline: 'System instructions and tools',
  inTurn: (turn: number) => `turn ${turn}`,
  prompt: 'Prompt',
  file: 'Attached file',
  answer: 'Answer',
  call: (tool: string) => `${tool} call`,
  result: (tool: string) => (tool === '' ? 'Tool result' : `${tool} result`),
  context: 'Session context',

  otherPrices: 'Same tokens, other prices',
  otherPricesNote: 'A different model would use different amounts.',
  pricesNotLoaded: 'Couldn’t load the prices.',
  pricesLoading: 'Loading the prices',
  noPrice: 'No price of these requests is known.',
  ifColumn: 'If',
  difference: 'Difference',
  withoutAgents: (count: number) => `Without ${formatPlural(count, 'more sub-agent')}.`,
  actual: 'Actual',
  noCache: 'No cache',
  allUnder: (tokens: string) => `All requests under ${tokens} tokens`,
  sentMore: (count: number, requests: number) =>
    `${formatCount(count)} of ${formatPlural(requests, 'request')} sent more`,

  repeatedWork: 'Repeated work',
  repeatedWorkNote: 'Estimates, already included above.',
  repeatedNotLoaded: 'Couldn’t compare the calls.',
  repeatedLoading: 'Loading the repeated work',
  noneFound: 'None found.',
  repeated: {
    'repeated-call': (tool: string) => `${tool}: same call, same result`,
    polled: (tool: string) => `${tool}: repeated until the result changed`,
    'reread-file': () => 'File read again, unchanged',
    'failed-edit': (tool: string) => `${tool}: failed and tried again`,
    'failing-tool': (tool: string) => `${tool}: failed several times in a row`,
    'error-run': () => 'Errors, one after the other',
    'cut-output': (tool: string) => `${tool}: output was cut and requested again`,
  },
  ofRequests: 'Of these requests, as recorded',
  what: 'What',
  where: 'Where',
  times: 'Times',
  added: 'Added',
  addedTitle: 'Tokens that it added to the context, estimated',
  requestsTitle: 'Requests that did nothing else',
  andMore: (count: number) => `and ${formatCount(count)} more`,

  listPrices: 'List prices in USD.',
  editPrices: 'Edit prices',
  unpriced: (calls: number, model: string | null, reason: UnknownCostReason) =>
    `${formatPlural(calls, 'request')}${model === null ? '' : ` of ${model}`}: ${UNKNOWN_REASON[reason]}.`,
} as const

interface Props {
  sessionRef: string
  session: SessionSummary
}

/** Why a session including its sub-agents cost what it did, with links. */
export function WhyItCost({ sessionRef, session }: Props) {
  const { data: why, error, refetch } = useQuery(sessionAnswerQuery('why', sessionRef))
  if (error !== null && why === undefined)
    return <Failed what={COST_TEXT.whyNotLoaded} error={error} onRetry={() => void refetch()} />
  if (why === undefined) return <SkeletonRows count={4} label={COST_TEXT.whyLoading} />
  if (why.total === null || why.shown === null) return <NoPrice />
  const lines = why.lines.map((line) => ({
    ...line,
    key: `${line.cause} ${line.place?.messageKey ?? line.place?.sessionKey}`,
    way: <Way {...{ line, sessionRef, session }} />,
  }))
  const note = [whyScope(why), costCaveat(session.source)].filter(Boolean).join(' ')
  return <WhyPanel title={COST_TEXT.why(why.shown)} note={note} lines={lines} />
}

function NoPrice() {
  return (
    <WhyPanel title={COST_TEXT.whyWithoutPrice} note="" lines={[]}>
      <p className="panel-body">{NO_KNOWN_PRICE}</p>
    </WhyPanel>
  )
}

interface WayProps extends Props {
  line: CostWhy['lines'][number]
}

function Way({ line: { place }, sessionRef, session }: WayProps) {
  if (place === null) return null
  if (place.sessionKey !== session.key)
    return (
      <Link to="/s/$key" params={{ key: place.sessionKey }} search={{ view: 'cost' }} className="button">
        {COST_TEXT.toSubagent}
      </Link>
    )
  if (place.messageKey === null) return null
  return (
    <ToMessage sessionRef={sessionRef} messageKey={place.messageKey} call={null} className="button">
      {place.turn === 0 ? COST_TEXT.toPlace : COST_TEXT.toTurn(place.turn)}
    </ToMessage>
  )
}

const FIRST_ROWS = 4

interface TurnRow {
  key: string
  /** null for a sub-agent. */
  turn: Turn | null
  name: string
  usage: TokenUsage | null
  cost: Cost | null
}

interface TurnCostsProps {
  sessionRef: string
  outline: readonly Turn[]
  /** undefined until loaded. */
  report: SessionCost | undefined
  /** false on a plan: no cost is shown. */
  hasPrices: boolean
}

/** Requests, tokens by kind and cost of each turn and sub-agent, most expensive first. */
export function TurnCosts({ sessionRef, outline, report, hasPrices }: TurnCostsProps) {
  const rows = toRows(outline, report)
  if (rows.length === 0) return null
  const all = report?.family?.together ?? report
  const hasTool = rows.some(({ usage }) => (usage?.tool ?? 0) > 0)
  return (
    <section className="panel" aria-labelledby="turn-costs-title" aria-busy={report === undefined}>
      <header className="panel-head">
        <h2 id="turn-costs-title">{hasPrices ? COST_TEXT.costByTurn : COST_TEXT.tokensByTurn}</h2>
      </header>
      <DataTable
        label={hasPrices ? COST_TEXT.costByTurn : COST_TEXT.tokensByTurn}
        className="data-table turn-costs"
        rows={rows}
        keyOf={({ key }) => key}
        pages={{ first: FIRST_ROWS, unit: 'turn' }}
        columns={[
          {
            name: COST_TEXT.turn,
            sortBy: ({ turn }) => turn?.number ?? Number.POSITIVE_INFINITY,
            title: ({ name }) => name,
            cell: (row) => <Name row={row} sessionRef={sessionRef} />,
            ...(all && { foot: COST_TEXT.total }),
          },
          figure(COST_TEXT.requests, ({ calls }) => calls, formatCount, all?.usage),
          figure(COST_TEXT.newInput, ({ input, cached }) => input - cached, formatTokens, all?.usage, true),
          figure(COST_TEXT.cachedInput, ({ cached }) => cached, formatTokens, all?.usage, true),
          figure(COST_TEXT.output, ({ output }) => output, formatTokens, all?.usage, true),
          figure(COST_TEXT.thinking, ({ thoughts }) => thoughts, formatTokens, all?.usage, true),
          ...(hasTool
            ? [figure(COST_TEXT.tool, ({ tool }: TokenUsage) => tool, formatTokens, all?.usage, true)]
            : []),
          figure(COST_TEXT.tokens, ({ total }) => total, formatTokens, all?.usage),
          ...(hasPrices ? [costColumn(all?.cost)] : []),
        ]}
      />
    </section>
  )
}

function toRows(outline: readonly Turn[], report: SessionCost | undefined): TurnRow[] {
  const turns = outline
    .filter(({ usage }) => usage.calls > 0)
    .map((turn): TurnRow => ({ key: `turn ${turn.number}`, turn, name: nameOf(turn), ...spentOf(turn) }))
  const agents = (report?.family?.subagents ?? []).map(
    ({ sessionKey, title, ...spent }): TurnRow => ({
      key: sessionKey,
      turn: null,
      name: title || COST_TEXT.subagent,
      ...spentOf(spent),
    }),
  )
  return [...turns, ...agents].sort((a, b) => usdOf(b) - usdOf(a))
}

function spentOf({ usage, cost }: Pick<TurnRow, 'usage' | 'cost'>) {
  return { usage, cost }
}

function usdOf({ cost }: TurnRow): number {
  return cost?.usd ?? 0
}

function nameOf({ number, prompt }: Turn): string {
  return prompt.trim().split('\n', 1)[0] || (number === 0 ? COST_TEXT.beforeFirstPrompt : COST_TEXT.noText)
}

function Name({ row: { key, turn, name }, sessionRef }: { row: TurnRow; sessionRef: string }) {
  if (turn === null)
    return (
      <>
        <Link to="/s/$key" params={{ key }} search={{ view: 'cost' }} className="turn-number link">
          {COST_TEXT.subagent}
        </Link>{' '}
        {name}
      </>
    )
  return (
    <>
      <ToMessage
        sessionRef={sessionRef}
        messageKey={turn.messageKey}
        call={null}
        className="turn-number link"
      >
        {turn.number}
      </ToMessage>{' '}
      {name} {turn.superseded !== null && <SupersededWord cause={turn.superseded} className="dim" />}
    </>
  )
}

function figure(
  name: string,
  read: (usage: TokenUsage) => number,
  write: (value: number) => string,
  total: TokenUsage | null | undefined,
  isWideOnly = false,
): DataColumn<TurnRow> {
  return {
    name,
    isFigure: true,
    isWideOnly,
    sortBy: ({ usage }) => (usage === null ? 0 : read(usage)),
    title: ({ usage }) => (usage === null ? undefined : formatCount(read(usage))),
    cell: ({ usage }) => (usage === null ? '-' : write(read(usage))),
    ...(total && { foot: write(read(total)) }),
  }
}

function costColumn(total: Cost | null | undefined): DataColumn<TurnRow> {
  return {
    name: COST_TEXT.cost,
    isFigure: true,
    className: 'main',
    sortBy: usdOf,
    title: ({ cost }) => describeCost(cost),
    cell: ({ cost }) => (cost === null || cost.usd === null ? COST_TEXT.unknown : formatCost(cost)),
    ...(total && { foot: formatCost(total) }),
  }
}
