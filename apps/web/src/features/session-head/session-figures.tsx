import type { SessionDetail } from '@gemini-dash/api'
import type { Turn } from 'gemini-sessions'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { useHasPrices } from '../../api/use-has-prices.ts'
import { ExplainButton } from '../../content/explain-button.tsx'
import type { FigureName } from '../../content/explain-context.ts'
import { areToolsRecorded } from '../../lib/are-tools-recorded.ts'
import {
  describeCost,
  formatCost,
  formatCount,
  formatDuration,
  formatFineUsd,
  formatPercent,
  formatPlural,
} from '../../lib/format.ts'
import { SUPERSEDED_WORD } from '../../lib/superseded-word.ts'
import { useIsNarrow } from '../../lib/use-is-narrow.ts'
import { Button } from '../../ui/button.tsx'
import { Figure } from '../../ui/figure.tsx'
import { Icon } from '../../ui/icon.tsx'
import { TokenText } from '../../ui/token-text.tsx'

/** The totals of a session; on a phone the four that matter first. */
export function SessionFigures({ detail }: { detail: SessionDetail }) {
  const isNarrow = useIsNarrow()
  const [isAll, setIsAll] = useState(false)
  const hasPrices = useHasPrices()
  const figures = figuresOf(detail, hasPrices)
  const shown = isNarrow && !isAll ? figures.filter((figure) => figure.isMain) : figures
  const rest = figures.length - shown.length
  return (
    <>
      <dl className="figures">
        {shown.map(({ label, note, title, value, explains }) => (
          <Figure key={label} label={label} note={note} title={title}>
            {explains === undefined ? (
              value
            ) : (
              <ExplainButton of={{ kind: 'session', figure: explains }}>{value}</ExplainButton>
            )}
          </Figure>
        ))}
      </dl>
      {rest > 0 && (
        <Button look="quiet" aria-expanded={false} onClick={() => setIsAll(true)}>
          <Icon of={ChevronRight} small />
          {rest} more figures
        </Button>
      )}
    </>
  )
}

interface FigureFacts {
  label: string
  value: React.ReactNode
  note?: React.ReactNode
  title?: string
  /** What of the session's sum it is; it opens how that came about. */
  explains?: FigureName
  isMain?: boolean
}

function figuresOf({ session, outline, figures }: SessionDetail, hasPrices: boolean): FigureFacts[] {
  const { usage, cost, counts } = session
  const { savedByCache, superseded, wallMs, activeMs } = figures
  const turns = outline.filter((turn) => turn.number > 0)
  const facts: (FigureFacts | false)[] = [
    {
      label: 'Turns',
      value: formatCount(turns.length),
      note: supersededNote(turns),
      isMain: true,
    },
    usage !== null && {
      label: 'Model calls',
      value: formatCount(usage.calls),
      note: usage.callsWithoutTokens > 0 && `${usage.callsWithoutTokens} without tokens`,
      explains: 'calls',
    },
    usage !== null && {
      label: 'Input tokens',
      value: <TokenText tokens={usage.input} />,
      explains: 'input',
      isMain: true,
    },
    usage !== null &&
      usage.input > 0 && {
        label: 'Cache hit rate',
        value: formatPercent(usage.cached / usage.input),
        note: (savedByCache.usd ?? 0) > 0 && `saved ${formatFineUsd(savedByCache.usd ?? 0)}`,
        explains: 'cached',
      },
    usage !== null && { label: 'Output', value: <TokenText tokens={usage.output} />, explains: 'output' },
    usage !== null &&
      usage.thoughts > 0 && {
        label: 'Thoughts',
        value: <TokenText tokens={usage.thoughts} />,
        explains: 'thoughts',
        note: `${formatPercent(usage.thoughts / (usage.thoughts + usage.output))} of received`,
      },
    usage !== null &&
      usage.tool > 0 && { label: 'Tool tokens', value: <TokenText tokens={usage.tool} />, explains: 'tool' },
    counts !== null && {
      label: 'Tool calls',
      value: areToolsRecorded(session) ? formatCount(counts.toolCalls) : '-',
      note: areToolsRecorded(session)
        ? counts.toolErrors > 0 && <span className="tone-error">{counts.toolErrors} failed</span>
        : 'not recorded',
      isMain: true,
    },
    wallMs > 0 && {
      label: 'Wall time',
      value: formatDuration(wallMs),
      note: activeMs > 0 && `${formatDuration(activeMs)} active`,
      title: 'From the first record to the last; active: waiting for the model or a tool',
    },
    ...superseded.map((part) => ({
      label: capital(SUPERSEDED_WORD[part.cause]),
      value: formatPlural(part.usage.calls, 'call'),
      note: part.cost.usd === null ? 'counted' : `${formatFineUsd(part.cost.usd)}, billed`,
      explains: 'calls' as const,
    })),
    hasPrices && {
      label: 'Cost',
      value:
        cost?.usd == null
          ? formatCost(cost)
          : `${formatFineUsd(cost.usd)}${cost.unpricedCalls > 0 ? '+' : ''}`,
      title: describeCost(cost),
      note: costNote(session),
      explains: 'cost',
      isMain: true,
    },
  ]
  return facts.filter((fact) => fact !== false)
}

/** `3 calls of unknown price, $0.906 with sub-agents` */
function costNote({ cost, withSubagents }: SessionDetail['session']): string {
  const unpriced = cost?.unpricedCalls ?? 0
  const together = withSubagents.cost?.usd ?? 0
  const hasCostOfAgents = together - (cost?.usd ?? 0) > 0.0005
  return [
    unpriced > 0 && `${formatPlural(unpriced, 'call')} of unknown price`,
    hasCostOfAgents && `${formatFineUsd(together)} with sub-agents`,
  ]
    .filter(Boolean)
    .join(', ')
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** `2 rewound`, `1 not answered, 3 compacted`; nothing where every turn stands. */
function supersededNote(turns: readonly Turn[]): string | null {
  const counts = new Map<string, number>()
  for (const { superseded } of turns) {
    if (superseded === null) continue
    const word = SUPERSEDED_WORD[superseded]
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return counts.size === 0 ? null : [...counts].map(([word, count]) => `${count} ${word}`).join(', ')
}
