import '../ui/panel.css'
import type { ComparedSession, Comparison } from '@gemini-dash/api'
import { toolLabel } from '@gemini-dash/api/tool-label'
import { Link } from '@tanstack/react-router'
import type { TouchedFile, Turn } from 'gemini-sessions'
import { X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { MachineText } from '../content/machine-text.tsx'
import { Markdown } from '../content/markdown.tsx'
import { SubagentsBadge, VerdictBadge } from '../content/session-badges.tsx'
import { SupersededWord } from '../content/superseded-word.tsx'
import { classNames } from '../lib/browser.ts'
import {
  formatCount,
  formatDuration,
  formatFineCost,
  formatFineUsd,
  formatPercent,
  formatPlural,
  formatTokens,
} from '../lib/figures.ts'
import { useHeldFocus } from '../lib/list-hooks.ts'
import { toolFilter } from '../lib/page-searches.ts'
import { isTurnTakenBack, sessionLengthMs } from '../lib/session-words.ts'
import { Button } from '../ui/buttons/button.tsx'
import { LineChangeFigure, TimeText } from '../ui/figures.tsx'
import { Icon } from '../ui/icons.tsx'
import { DataTable } from '../ui/table.tsx'

/** The totals side by side. More is neither good nor bad, so nothing is coloured. */
export function CompareFigures({ comparison }: { comparison: Comparison }) {
  return (
    <section className="panel" aria-label="Figures">
      <header className="panel-head">
        <h2>Figures</h2>
        <p>sub-agents included, and requests that were rewound later</p>
      </header>
      <DataTable
        label="Figures of both sessions"
        className="data-table compare-figures"
        rows={toFigureRows(comparison)}
        keyOf={({ label }) => label}
        columns={[
          { name: 'Figure', cell: ({ label }) => label },
          { name: 'A', isFigure: true, className: 'main', cell: ({ a }) => a },
          { name: 'B', isFigure: true, className: 'main', cell: ({ b }) => b },
          {
            name: 'B − A',
            isFigure: true,
            cellClass: ({ difference }) => difference === 'same' && 'none',
            cell: ({ difference }) => difference ?? '-',
          },
        ]}
      />
    </section>
  )
}

/** Which files each session touched: what it changed of them, else that it looked. */
export function CompareFiles({ comparison: { files } }: { comparison: Comparison }) {
  const both = files.filter(({ a, b }) => a !== null && b !== null).length
  return (
    <CompareTable
      title="Files touched"
      note={`${formatCount(both)} by both, changed ones first`}
      none="neither touched one"
      rows={files}
      name={({ name, a, b }) => (
        <span className="mono" title={(a ?? b)?.path}>
          <MachineText text={name === '.' ? './' : name} />
        </span>
      )}
      cell={(row, side) => <Touched file={row[side]} />}
    />
  )
}

function Touched({ file }: { file: TouchedFile | null }) {
  if (file === null) return <span className="dim">-</span>
  const change = file.net ?? file.recorded
  if (isChanged(file)) return change === null ? 'changed' : <LineChangeFigure {...change} />
  if (file.reads > 0) return 'read'
  return <span className="dim">{file.failed > 0 ? 'failed' : 'searched'}</span>
}

/** How often each session and its sub-agents called which tool, and how often that failed. */
export function CompareTools({ comparison }: { comparison: Comparison }) {
  const { tools } = comparison
  return (
    <CompareTable
      title="Tools"
      note="calls, the busiest first"
      none="neither called one"
      rows={tools}
      name={({ name }) => <span title={name}>{toolLabel(name)}</span>}
      cell={(row, side) => (
        <Calls tool={row.name} figures={row[side]} sessionId={comparison[side].session.sessionId} />
      )}
    />
  )
}

interface CallsProps {
  tool: string
  figures: Comparison['tools'][number]['a']
  sessionId: string
}

function Calls({ tool, figures, sessionId }: CallsProps) {
  if (figures === null) return <span className="dim">-</span>
  const { calls, errors, withSubagents } = figures
  const failed = `${formatCount(withSubagents.errors)} failed`
  return (
    <>
      {errors > 0 ? (
        <Link
          to="/search"
          search={{ q: `${toolFilter(tool)} is:error session:${sessionId}` }}
          className="compare-failed failure-link"
          title={errors < withSubagents.errors ? `of which own: ${formatCount(errors)}` : undefined}
        >
          {failed}
        </Link>
      ) : (
        withSubagents.errors > 0 && <span className="compare-failed">{failed}</span>
      )}
      <span title={calls < withSubagents.calls ? `of which own: ${formatCount(calls)}` : undefined}>
        {formatCount(withSubagents.calls)}
      </span>
    </>
  )
}

interface Props<Row> {
  title: string
  note: string
  rows: readonly (Row & { name: string })[]
  /** What is said where there are no rows. */
  none: string
  name: (row: Row & { name: string }) => ReactNode
  cell: (row: Row, side: 'a' | 'b') => ReactNode
}

/** A long list is shown so far at first. */
const FIRST_ROWS = 20

/** Things that either session has, by name: one row each, one column for each session. */
function CompareTable<Row>({ title, note, rows, none, name, cell }: Props<Row>) {
  return (
    <section className="panel" aria-label={title}>
      <header className="panel-head">
        <h2>{title}</h2>
        <p>{rows.length === 0 ? none : note}</p>
      </header>
      {rows.length > 0 && (
        <DataTable
          label={`${title} of both sessions`}
          rows={rows}
          keyOf={(row) => row.name}
          pages={{ first: FIRST_ROWS, unit: 'row' }}
          columns={[
            { name: 'Name', cell: name },
            { name: 'A', isFigure: true, cell: (row) => cell(row, 'a') },
            { name: 'B', isFigure: true, cell: (row) => cell(row, 'b') },
          ]}
        />
      )}
    </section>
  )
}

interface FigureRow {
  label: string
  a: string
  b: string
  /** Of B against A, with its sign; null where one of the two is not known. */
  difference: string | null
}

interface Figure {
  label: string
  read: (side: ComparedSession, files: readonly TouchedFile[]) => number | null
  write: (value: number) => string
  /** Told only where one of the two has any. */
  isRare?: boolean
}

const FIGURES: Figure[] = [
  { label: 'Turns', read: ({ turns }) => turns, write: formatCount },
  {
    label: 'Model calls',
    read: ({ session }) => session.withSubagents.usage?.calls ?? null,
    write: formatCount,
  },
  { label: 'Tokens', read: ({ session }) => session.withSubagents.usage?.total ?? null, write: formatTokens },
  { label: 'Input', read: ({ session }) => session.withSubagents.usage?.input ?? null, write: formatTokens },
  { label: 'Cached of input', read: ({ session }) => cacheRate(session), write: formatPercent },
  {
    label: 'Output',
    read: ({ session }) => session.withSubagents.usage?.output ?? null,
    write: formatTokens,
  },
  {
    label: 'Thoughts',
    read: ({ session }) => session.withSubagents.usage?.thoughts ?? null,
    write: formatTokens,
  },
  { label: 'Cost', read: ({ session }) => session.withSubagents.cost?.usd ?? null, write: formatFineUsd },
  {
    label: 'Calls of unknown price',
    read: ({ session }) => session.withSubagents.cost?.unpricedCalls ?? null,
    write: formatCount,
    isRare: true,
  },
  {
    label: 'Cost of sub-agents',
    read: ({ session }) => agentsUsd(session),
    write: formatFineUsd,
    isRare: true,
  },
  { label: 'Tool calls', read: ({ session }) => session.withSubagents.toolCalls, write: formatCount },
  {
    label: 'Failed tool calls',
    read: ({ session }) => session.withSubagents.failures?.tools ?? null,
    write: formatCount,
  },
  {
    label: 'Refused requests',
    read: ({ session }) => session.withSubagents.failures?.refused ?? null,
    write: formatCount,
    isRare: true,
  },
  { label: 'Files changed', read: (_, files) => files.filter(isChanged).length, write: formatCount },
  { label: 'Time span', read: ({ session }) => sessionLengthMs(session), write: formatDuration },
]

/** The totals of two sessions with their sub-agents, and what B has more or less. */
export function toFigureRows({ a, b, files }: Comparison): FigureRow[] {
  const filesOf = (side: 'a' | 'b') => files.flatMap((row) => row[side] ?? [])
  return FIGURES.flatMap(({ label, read, write, isRare }) => {
    const [one, other] = [read(a, filesOf('a')), read(b, filesOf('b'))]
    if (isRare && (one ?? 0) === 0 && (other ?? 0) === 0) return []
    const say = (value: number | null) => (value === null ? '-' : write(value))
    return [{ label, a: say(one), b: say(other), difference: difference(one, other, write) }]
  })
}

function difference(a: number | null, b: number | null, write: Figure['write']): string | null {
  if (a === null || b === null) return null
  if (write === formatPercent) return points(a, b)
  const amount = write(Math.abs(b - a))
  if (a === b || amount === write(0)) return 'same'
  return `${b > a ? '+' : '−'}${amount}`
}

function points(a: number, b: number): string {
  const change = Math.round((b - a) * 100)
  if (change === 0) return 'same'
  return `${change > 0 ? '+' : '−'}${Math.abs(change)} ${Math.abs(change) === 1 ? 'point' : 'points'}`
}

function isChanged({ writes, edits }: TouchedFile): boolean {
  return writes + edits > 0
}

function cacheRate({ withSubagents: { usage } }: ComparedSession['session']): number | null {
  return usage === null || usage.input === 0 ? null : usage.cached / usage.input
}

function agentsUsd({ subagentKeys, cost, withSubagents }: ComparedSession['session']): number | null {
  if (subagentKeys.length === 0) return 0
  if (withSubagents.cost?.usd == null) return null
  return withSubagents.cost.usd - (cost?.usd ?? 0)
}

/** So many are drawn at first: a session may have thousands. */
const FIRST_PAIRS = 100

/** The turns of both in one order: those that asked alike stand side by side. */
export function CompareTurns({ comparison: { a, b, turns } }: { comparison: Comparison }) {
  const [isAll, setIsAll] = useState(false)
  const around = useHeldFocus<HTMLElement>()
  const shown = isAll ? turns : turns.slice(0, FIRST_PAIRS)
  const alike = turns.filter((pair) => pair.a !== null && pair.b !== null).length
  return (
    <section className="panel" aria-label="Turns" ref={around}>
      <header className="panel-head">
        <h2>Turns</h2>
        <p>{alike === 0 ? 'no prompt asks for the same' : `${formatPlural(alike, 'turn')} asked alike`}</p>
      </header>
      <ol className="compare-turns">
        {shown.map((pair) => (
          <li key={`${pair.a?.messageKey} ${pair.b?.messageKey}`} className="compare-pair">
            <ComparedTurn side="a" sessionKey={a.session.key} turn={pair.a} />
            <ComparedTurn side="b" sessionKey={b.session.key} turn={pair.b} />
          </li>
        ))}
      </ol>
      {shown.length < turns.length && (
        <div className="panel-body">
          <Button look="quiet" onClick={() => setIsAll(true)}>
            Show all {formatPlural(turns.length, 'row')}
          </Button>
        </div>
      )}
    </section>
  )
}

interface CompareTurnsProps {
  side: 'a' | 'b'
  sessionKey: string
  turn: Turn | null
}

/** A turn of one session, or the place where it has none that asks the same. */
function ComparedTurn({ side, sessionKey, turn }: CompareTurnsProps) {
  if (turn === null)
    return (
      <div className="compare-cell missing">
        <SideLabel side={side} />
        <p className="dim">no such turn</p>
      </div>
    )
  return (
    <div className="compare-cell">
      <SideLabel side={side} />
      <div className={classNames('compare-turn', isTurnTakenBack(turn) && 'taken-back')}>
        <Link
          to="/s/$key"
          params={{ key: sessionKey }}
          hash={`m-${turn.messageKey}`}
          className="compare-prompt"
          title={turn.prompt}
          dir="auto"
        >
          <b>{turn.number}</b> {turn.prompt.trim().split('\n', 1)[0] || 'No text'}
        </Link>
        <p className="compare-facts">
          {turn.usage.calls > 0 && <span>{formatPlural(turn.usage.calls, 'call')}</span>}
          {turn.usage.total > 0 && <span>{formatTokens(turn.usage.total)} tokens</span>}
          {turn.toolCalls > 0 && <span>{formatPlural(turn.toolCalls, 'tool call')}</span>}
          {turn.toolErrors > 0 && (
            <ToFailure
              sessionKey={sessionKey}
              messageKey={turn.failedKey ?? turn.messageKey}
              words={`${turn.toolErrors} failed`}
            />
          )}
          {turn.failure !== null && (
            <ToFailure
              sessionKey={sessionKey}
              messageKey={turn.failure.noticeKey ?? turn.messageKey}
              words="request failed"
              title={turn.failure.text}
            />
          )}
          {turn.failure === null && turn.superseded !== null && <SupersededWord cause={turn.superseded} />}
          {turn.cost.usd !== null && <b>{formatFineCost(turn.cost)}</b>}
        </p>
      </div>
    </div>
  )
}

interface ToFailureProps {
  sessionKey: string
  messageKey: string
  words: string
  title?: string
}

/** What failed, as the way there. */
function ToFailure({ sessionKey, messageKey, words, title }: ToFailureProps) {
  return (
    <Link
      to="/s/$key"
      params={{ key: sessionKey }}
      hash={`m-${messageKey}`}
      className="failure-link"
      title={title}
    >
      <Icon of={X} small />
      {words}
    </Link>
  )
}

/** Which of the two it is; words for who hears it. */
function SideLabel({ side }: { side: 'a' | 'b' }) {
  return (
    <span className="compare-side">
      <span className="visually-hidden">Session </span>
      {side.toUpperCase()}
    </span>
  )
}

interface HeadProps {
  side: 'a' | 'b'
  name: string
  when: string
  compared: ComparedSession
}

/** One of the two: what it is called, when and where it was, on which models. */
export function ComparedHead({ side, name, when, compared: { session } }: HeadProps) {
  const { key, project, models, startTime } = session
  return (
    <section className="compare-head" aria-label={`Session ${side.toUpperCase()}`}>
      <h2>
        <SideLabel side={side} />
        <Link to="/s/$key" params={{ key }} dir="auto">
          {name}
        </Link>
        <VerdictBadge session={session} />
      </h2>
      <p>
        <Link to="/p/$project" params={{ project: project.key }} dir="auto">
          {project.name}
        </Link>
        {startTime !== null && <TimeText time={startTime}>{when}</TimeText>}
        {(models ?? []).map((model) => (
          <span key={model.name}>
            {model.name}, {formatPlural(model.calls, 'call')}
          </span>
        ))}
        <SubagentsBadge session={session} />
      </p>
    </section>
  )
}

/** How each of the two ended: the model's last words that still stand. */
export function CompareOutcome({ comparison: { a, b } }: { comparison: Comparison }) {
  return (
    <section className="panel" aria-label="Outcome">
      <header className="panel-head">
        <h2>Outcome</h2>
        <p>the last answer of each, its beginning</p>
      </header>
      <div className="compare-pair">
        <LastAnswer side="a" compared={a} />
        <LastAnswer side="b" compared={b} />
      </div>
    </section>
  )
}

function LastAnswer({ side, compared }: { side: 'a' | 'b'; compared: ComparedSession }) {
  const { session, lastAnswer } = compared
  return (
    <div className="compare-cell">
      <SideLabel side={side} />
      {lastAnswer === null ? (
        <p className="dim">No answer in words.</p>
      ) : (
        <div className="compare-answer">
          <Markdown text={lastAnswer.text} isSmall />
          <Link
            to="/s/$key"
            params={{ key: session.key }}
            hash={`m-${lastAnswer.messageKey}`}
            className="link"
          >
            Read it there
          </Link>
        </div>
      )}
    </div>
  )
}
