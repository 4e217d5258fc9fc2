import './explain.css'
import './tables/explain-table.css'
import type { CallExplanation } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { sessionAnswerQuery } from '../../api/session/session-answer.ts'
import type { Explained, FigureName } from '../../content/explain/explain-context.ts'
import { formatCount, formatDay } from '../../lib/figures/format.ts'
import { SUPERSEDED_WORD } from '../../lib/session/superseded-word.ts'
import { IconButton } from '../../ui/buttons/icon-button.tsx'
import { Disclosure } from '../../ui/controls/disclosure.tsx'
import { Dialog } from '../../ui/frames/dialog.tsx'
import { Failed } from '../../ui/states/failed.tsx'
import { ExplainDay } from './explain-day.tsx'
import { ExplainRecords } from './explain-records.tsx'
import { ExplainSum } from './explain-sum.tsx'
import { ExplainUsage } from './explain-usage.tsx'
import { tierWords, UNKNOWN_REASON } from './explain-words.ts'
import { TermTable } from './tables/term-table.tsx'
import { TokenTable } from './tables/token-table.tsx'

interface Props {
  sessionRef: string | undefined
  figure: Explained
  onJump: ((messageKey: string, offset: number | null) => void) | undefined
  more: ((sessionRef: string) => ReactNode) | undefined
  /** How many figures led here; the first is 1. */
  depth: number
  onBack: () => void
  onClose: () => void
}

/** How a figure came about: rates, terms and tier, and the records that it is made of. */
export default function ExplainDialog({ sessionRef, figure, onJump, more, depth, onBack, onClose }: Props) {
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
        <Body figure={figure} sessionRef={sessionRef} onJump={jump} more={more} />
      </div>
    </Dialog>
  )
}

function Body({ figure, sessionRef: shown, onJump, more }: Omit<Props, 'depth' | 'onBack' | 'onClose'>) {
  if (figure.kind === 'day')
    return <ExplainDay day={figure.day} filter={figure.filter} figure={figure.figure} />
  if (figure.kind === 'list') return <ExplainDay day={null} filter={figure.filter} figure={figure.figure} />
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
      {turn === undefined && more?.(sessionRef)}
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
    case 'day':
      return `How it is counted: ${formatDay(figure.day)}`
    case 'list':
    case 'usage':
      return `How it is counted: ${figure.name}`
  }
}

/** What /stats of the CLI does, by the source of 0.61.0 (uiTelemetry); other versions may differ. */
function StatsNote() {
  return (
    <Disclosure head="Why /stats of the CLI says something else">
      {() => (
        <ul className="explain-notes">
          <li>
            It counts requests of the running process; /clear begins anew, and a resumed session is counted
            from the messages that still stand.
          </li>
          <li>
            So what was taken back or summarised is missing there after a resume; here it counts, as it was
            billed.
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
      <ExplainRecords records={records} rawHref={apiPaths.raw(sessionRef, messageKey)} />
    </>
  )
}

function PriceLine({ explanation: { model, price, tier } }: { explanation: CallExplanation }) {
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
      .
    </p>
  )
}
