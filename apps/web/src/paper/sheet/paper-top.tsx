import '../../features/session-head/session-head.css'
import '../../features/session-head/head-figures.css'
import '../../features/token-chart/token-chart.css'
import type { PaperSession } from '@gemini-dash/api'
import { BuriedNotice } from '../../features/conversation/lead/buried-notice.tsx'
import { outlineItems } from '../../features/outline/outline-items.ts'
import { OutlineTurn } from '../../features/outline/outline-turn.tsx'
import { sessionName } from '../../features/session-head/session-name.ts'
import { zonedSpan } from '../../features/session-head/session-span.ts'
import { toHeadFigures } from '../../features/session-head/to-head-figures.ts'
import { Verdict } from '../../features/session-head/verdict.tsx'
import { ChartDrawing } from '../../features/token-chart/chart-drawing.tsx'
import { ChartLegend } from '../../features/token-chart/chart-legend.tsx'
import { chartSummary } from '../../features/token-chart/chart-summary.ts'
import { toChartCalls } from '../../features/token-chart/geometry/chart-call.ts'
import { chartGeometry } from '../../features/token-chart/geometry/chart-geometry.ts'
import { LAYOUT } from '../../features/token-chart/geometry/chart-layout.ts'
import { formatPlural } from '../../lib/figures/format.ts'
import { Figure } from '../../ui/figures/figure.tsx'
import { ScrollRegion } from '../../ui/frames/scroll-region.tsx'

/** Of the drawing, which is drawn smaller where there is less room. */
const CHART_WIDTH = 1100
/** More turns than this would stand between the reader and the first word. */
const MOST_OPEN = 12

/** What stands above the conversation: title, how it ended, figures, tokens of each call, and the way to each turn. */
export function PaperTop({ session }: { session: PaperSession }) {
  const { detail, hasPrices } = session
  return (
    <>
      <header className="paper-head">
        <p className="paper-project" dir="auto">
          {detail.session.project.name}
        </p>
        <h1 dir="auto">{sessionName(detail.session)}</h1>
        <div className="session-verdict">
          <Verdict sessionRef="" session={detail.session} figures={detail.figures} />
        </div>
        <Facts session={session} />
        <dl className="figures">
          {toHeadFigures(detail, hasPrices).map(({ label, value, title, notes }) => (
            <Figure
              key={label}
              label={label}
              note={notes.length > 0 && notes.map(({ text }) => text).join(', ')}
              {...(title !== undefined && { title })}
            >
              {value}
            </Figure>
          ))}
        </dl>
      </header>
      <Chart session={session} />
      <PaperOutline session={session} />
      {detail.session.buried && <BuriedNotice cause={detail.buriedBy} />}
      {detail.messageTotal === 0 && (
        <p className="conversation-empty">No message was recorded in this session.</p>
      )}
    </>
  )
}

function Facts({ session: { detail } }: { session: PaperSession }) {
  const { session } = detail
  return (
    <p className="session-facts">
      <span>{zonedSpan(session) || 'No date'}</span>
      {(session.models ?? []).map(({ name, calls }) => (
        <span key={name}>
          {name}, {formatPlural(calls, 'call')}
        </span>
      ))}
      <span className="mono">{session.sessionId}</span>
    </p>
  )
}

/** The page's drawing without its hand: nothing points at a bar. */
function Chart({ session: { detail, calls: columns, hasPrices } }: { session: PaperSession }) {
  const calls = toChartCalls(columns)
  if (!calls.some(({ usage }) => usage !== null)) return null
  const bottom = hasPrices ? LAYOUT.costBottom : LAYOUT.contextBottom
  const geometry = chartGeometry({
    calls,
    models: columns.models,
    compressions: detail.compressions,
    width: CHART_WIDTH,
    scale: 'linear',
    isInputHidden: false,
  })
  return (
    <figure className="token-chart" aria-labelledby="token-chart-title">
      <div className="chart-caption">
        <h2 id="token-chart-title">Tokens per call</h2>
        <ChartLegend hasTool={calls.some((call) => (call.usage?.tool ?? 0) > 0)} />
      </div>
      <ScrollRegion label="Tokens per call">
        <div className="chart-scroll sheet">
          <svg
            viewBox={`0 0 ${CHART_WIDTH} ${bottom + LAYOUT.belowBands}`}
            role="img"
            aria-label={chartSummary(calls, hasPrices)}
          >
            <ChartDrawing geometry={geometry} bottom={bottom} />
          </svg>
        </div>
      </ScrollRegion>
    </figure>
  )
}

function PaperOutline({ session: { detail } }: { session: PaperSession }) {
  const { outline, compressions, resumedKeys } = detail
  const items = outlineItems({ turns: outline, compressions, resumedKeys })
  if (items.length < 2) return null
  const count = items.filter(({ kind }) => kind === 'turn').length
  const largest = outline.reduce((most, turn) => Math.max(most, turn.usage.total), 1)
  return (
    <nav aria-label="Outline" className="paper-outline">
      <details open={count <= MOST_OPEN}>
        <summary className="outline-title">{formatPlural(count, 'turn')}</summary>
        <ol>
          {items.map((item) =>
            item.kind === 'seam' ? (
              <li key={item.key} className="outline-seam">
                {item.word}
              </li>
            ) : (
              <li key={item.key}>
                <OutlineTurn
                  sessionRef=""
                  turn={item.turn}
                  share={Math.sqrt(item.turn.usage.total / largest)}
                  isCurrent={false}
                  onJump={null}
                />
              </li>
            ),
          )}
        </ol>
      </details>
    </nav>
  )
}
