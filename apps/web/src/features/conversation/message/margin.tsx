import './message.css'
import type { Cost, Message, TokenUsage, Turn } from 'gemini-sessions'
import { Star } from 'lucide-react'
import { createContext, type RefObject, useContext, useEffect, useRef, useState } from 'react'
import { useMessageMark } from '../../../api/marks.ts'
import { useHasPrices } from '../../../api/queries.ts'
import { MachineText } from '../../../content/machine-text.tsx'
import { NeighbourContext, OriginLink } from '../../../content/stored-files.tsx'
import { formatClock } from '../../../lib/dates.ts'
import {
  formatCost,
  formatCount,
  formatDuration,
  formatFineCost,
  formatTokens,
} from '../../../lib/figures.ts'
import { usePaper } from '../../../lib/paper.ts'
import { Heard, TimeText } from '../../../ui/figures.tsx'
import { Icon } from '../../../ui/icons.tsx'
import type { RunPlace } from '../row.ts'
import { MessageActions } from './message-actions.tsx'

/** Minimum share of the session's cost for showing dollars beside the tokens. */
const TELLING_SHARE = 0.05

interface Props {
  message: Message
  run?: RunPlace | null
  /** The turn that the message starts. */
  turn?: Turn | null
}

/** One line of figures beside a message; the full table and a menu on hover, tap or focus. */
export function MessageMargin(props: Props) {
  const inside = useRef<HTMLDivElement>(null)
  const isActive = useIsActive(inside)
  const isPaper = usePaper() !== null
  const { message, run = null, turn = null } = props
  return (
    <div ref={inside} className="margin-line meta">
      {!isPaper && (
        <>
          <OwnStar messageKey={message.key} />
          <MessageActions message={message} turn={turn} isShown={isActive} />
        </>
      )}
      {turn === null ? (
        <RequestFigures message={message} run={run} isActive={isActive} />
      ) : (
        <TurnFigures turn={turn} isActive={isActive} />
      )}
    </div>
  )
}

/** Stays visible while set. */
function OwnStar({ messageKey }: { messageKey: string }) {
  const { star } = useMessageMark(useContext(NeighbourContext).sessionRef, messageKey).mark
  return star ? (
    <span className="own-star" title="Starred">
      <Icon of={Star} small />
      <span className="visually-hidden">Starred</span>
    </span>
  ) : null
}

/** `Turn 1 · 09:12:46` */
function TurnFigures({ turn, isActive }: { turn: Turn; isActive: boolean }) {
  const hasPrices = useHasPrices()
  const { number, startTime, endTime, usage, cost, toolCalls, toolErrors } = turn
  const durationMs = startTime !== null && endTime !== null ? Date.parse(endTime) - Date.parse(startTime) : 0
  const figures = { requests: usage.calls, usage, cost }
  return (
    <>
      <span className="margin-figure">
        {startTime === null ? (
          `Turn ${number}`
        ) : (
          <TimeText time={startTime}>{`Turn ${number} · ${formatClock(startTime, 'seconds')}`}</TimeText>
        )}
      </span>
      {isActive && (
        <FigurePanel
          about={`Turn ${number}`}
          columns={[{ name: 'Turn', figures }]}
          hasPrices={hasPrices}
          more={[
            ['Duration', formatDuration(durationMs)],
            ['Tool calls', formatCount(toolCalls)],
            ['Failed', formatCount(toolErrors)],
          ]}
        />
      )}
    </>
  )
}

/** `35.6k in`: a run shows all of its requests beside the first. Copies and requests without a record show nothing. */
function RequestFigures(props: { message: Message; run: RunPlace | null; isActive: boolean }) {
  const { message, run, isActive } = props
  const hasPrices = useHasPrices()
  const { related } = useContext(NeighbourContext)
  if (message.billedIn !== undefined)
    return (
      <span className="margin-figure">
        Counted in <OriginLink sessionKey={message.billedIn} related={related} />
      </span>
    )
  const own = sumFigures([message])
  const all = run?.at === 'first' ? sumFigures(run.messages) : null
  const figures = all ?? own
  if (figures === null) return null
  const columns = [
    ...(own === null ? [] : [{ name: 'This one', figures: own }]),
    ...(all === null ? [] : [{ name: 'All of the card', figures: all }]),
  ]
  return (
    <>
      {(run === null || all !== null || isActive) && <InputFigure figures={figures} hasPrices={hasPrices} />}
      {run?.at === 'last' && <CardFigure run={run} />}
      {isActive && <FigurePanel about={aboutOf(message)} columns={columns} hasPrices={hasPrices} />}
    </>
  )
}

/** Below the card if there is no margin. */
function CardFigure({ run }: { run: RunPlace }) {
  const all = sumFigures(run.messages)
  return all && <span className="card-figure">{formatTokens(all.usage.input)} in</span>
}

function InputFigure({ figures, hasPrices }: { figures: Figures; hasPrices: boolean }) {
  const total = useContext(SessionCostContext)
  const isPaper = usePaper() !== null
  const { usage, cost } = figures
  const isTelling = hasPrices && total !== null && cost.usd !== null && cost.usd > 0
  return (
    <span className="margin-figure" title={isPaper ? figureWords(figures, hasPrices) : undefined}>
      {formatTokens(usage.input)} in<Heard>put tokens</Heard>
      {isTelling && cost.usd !== null && cost.usd >= total * TELLING_SHARE && (
        <b className="margin-cost"> · {formatCost(cost)}</b>
      )}
    </span>
  )
}

function aboutOf({ model, timestamp }: Message): string {
  const words = [model, timestamp === null ? null : formatClock(timestamp, 'seconds')]
  return words.filter((word) => word !== null).join(', ')
}

interface FigurePanelProps {
  /** Subject and time of the figures. */
  about: string
  /** Labeled if there are several. */
  columns: { name: string; figures: Figures }[]
  hasPrices: boolean
  /** Other figures, above the tokens. */
  more?: [name: string, value: string][]
}

/** All tokens of a message, run or turn: shown on hover, tap or focus. */
function FigurePanel({ about, columns, hasPrices, more = [] }: FigurePanelProps) {
  return (
    <table className="figure-panel">
      <caption>
        <MachineText text={about} />
      </caption>
      {columns.length > 1 && (
        <thead>
          <tr>
            <td />
            {columns.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {more.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td colSpan={columns.length}>{value}</td>
          </tr>
        ))}
        {figureRows(hasPrices).map(([name, write]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {columns.map((column) => (
              <td key={column.name}>{write(column.figures)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** `4 requests, 1,160 new, 34,400 cached, 812 output, 120 thinking, 0 tool, 36,492 total, $0.029` */
function figureWords(figures: Figures, hasPrices: boolean): string {
  return figureRows(hasPrices)
    .map(([name, write]) =>
      name === 'Cost' ? write(figures) : `${write(figures)} ${name.split(' ', 1)[0]?.toLowerCase()}`,
    )
    .join(', ')
}

function figureRows(hasPrices: boolean): [name: string, write: (figures: Figures) => string][] {
  const rows: [string, (figures: Figures) => string][] = [
    ['Requests', ({ requests }) => formatCount(requests)],
    ['New input', ({ usage }) => formatCount(Math.max(usage.input - usage.cached, 0))],
    ['Cached input', ({ usage }) => formatCount(usage.cached)],
    ['Output', ({ usage }) => formatCount(usage.output)],
    ['Thinking', ({ usage }) => formatCount(usage.thoughts)],
    ['Tool', ({ usage }) => formatCount(usage.tool)],
    ['Total', ({ usage }) => formatCount(usage.total)],
  ]
  return hasPrices ? [...rows, ['Cost', ({ cost }) => formatFineCost(cost)]] : rows
}

interface Figures {
  requests: number
  usage: Pick<TokenUsage, 'input' | 'cached' | 'output' | 'thoughts' | 'tool' | 'total'>
  cost: Cost
}

/** For the requests that these messages answer; null if none was recorded. */
function sumFigures(messages: readonly Pick<Message, 'usage' | 'cost'>[]): Figures | null {
  const counted = messages.filter(({ usage }) => usage !== null)
  if (counted.length === 0) return null
  const sum = (figure: keyof Figures['usage']) =>
    counted.reduce((total, { usage }) => total + (usage?.[figure] ?? 0), 0)
  const prices = counted.flatMap(({ cost }) => cost?.usd ?? [])
  return {
    requests: counted.length,
    usage: {
      input: sum('input'),
      cached: sum('cached'),
      output: sum('output'),
      thoughts: sum('thoughts'),
      tool: sum('tool'),
      total: sum('total'),
    },
    cost: {
      usd: prices.length === 0 ? null : prices.reduce((total, usd) => total + usd, 0),
      unpricedCalls: counted.reduce((total, { cost }) => total + (cost?.unpricedCalls ?? 0), 0),
    },
  }
}

/** Cost of the whole session in dollars; null if unknown. */
export const SessionCostContext = createContext<number | null>(null)

/** Whether the message around `inside` is hovered, tapped, or contains the focus. */
function useIsActive(inside: RefObject<HTMLElement | null>): boolean {
  const [isActive, setIsActive] = useState(false)
  useEffect(() => {
    const article = inside.current?.closest('article')
    if (article == null) return
    let isOver = article.matches(':hover')
    let isFocused = article.contains(document.activeElement)
    const update = () => setIsActive(isOver || isFocused)
    const point = ({ type, pointerType }: PointerEvent) => {
      // a touch pointer leaves when lifted; the tapped element gets the focus
      if (pointerType === 'touch') return
      isOver = type === 'pointerenter'
      update()
    }
    const focus = ({ type, relatedTarget }: FocusEvent) => {
      // moving into the panel, which exists only while this is active
      isFocused = type === 'focusin' || article.contains(relatedTarget as Node | null)
      update()
    }
    update()
    article.addEventListener('pointerenter', point)
    article.addEventListener('pointerleave', point)
    article.addEventListener('focusin', focus)
    article.addEventListener('focusout', focus)
    return () => {
      article.removeEventListener('pointerenter', point)
      article.removeEventListener('pointerleave', point)
      article.removeEventListener('focusin', focus)
      article.removeEventListener('focusout', focus)
    }
  }, [inside])
  return isActive
}
