import './session-parts.css'
import type { SessionDetail, SessionNeighbours } from '@gemini-dash/api'
import { ChevronRight } from 'lucide-react'
import { type ReactNode, useId, useSyncExternalStore } from 'react'
import { FilesTouched } from '../../features/files-touched/files-touched.tsx'
import { countBeside, SessionFilesView } from '../../features/session-files/session-files.tsx'
import { TokenChart } from '../../features/token-chart/token-chart.tsx'
import { keptChoice } from '../../lib/browser/kept-choice.ts'
import { formatCount } from '../../lib/figures/format.ts'
import { Border } from '../../ui/lazy/border.tsx'
import { Icon } from '../../ui/signs/icon.tsx'

const NAMES = { chart: 'Chart', files: 'Files touched', beside: 'Beside it' } as const
type PartName = keyof typeof NAMES

/** Which of them are open: whoever wants a chart wants it of every session. */
const openParts = keptChoice<readonly PartName[]>(
  'gemini-dash.session-parts',
  (kept) => (Object.keys(NAMES) as PartName[]).filter((name) => kept?.split(' ').includes(name)),
  (names) => (names.length === 0 ? null : names.join(' ')),
)

interface Props {
  sessionRef: string
  detail: SessionDetail
  recordedCalls: number
  /** undefined: not here yet. */
  neighbours: SessionNeighbours | undefined
  onJump: (messageKey: string, offset: number | null) => void
  /** What the strip above is drawn with. */
  legend: ReactNode
}

/** What can be looked at beside the conversation: each is there when it is asked for, and then for every session. */
export function SessionParts({ sessionRef, detail, recordedCalls, neighbours, onJump, legend }: Props) {
  const { session, compressions } = detail
  const open = useSyncExternalStore(openParts.subscribe, openParts.get)
  const id = useId()
  const beside = neighbours === undefined ? 0 : countBeside(neighbours)
  const hasTouched = session.recorded?.toolCalls !== 0 || session.subagentKeys.length > 0
  const parts: { name: PartName; count: number | null; body: () => ReactNode }[] = [
    ...(recordedCalls > 0
      ? [
          {
            name: 'chart' as const,
            count: null,
            body: () => <TokenChart {...{ sessionRef, recordedCalls, compressions, onJump }} />,
          },
        ]
      : []),
    ...(hasTouched
      ? [
          {
            name: 'files' as const,
            count: null,
            body: () => <FilesTouched {...{ sessionRef, session, onJump }} />,
          },
        ]
      : []),
    ...(neighbours !== undefined && beside > 0
      ? [
          {
            name: 'beside' as const,
            count: beside,
            body: () => <SessionFilesView {...{ sessionRef, neighbours, onJump }} />,
          },
        ]
      : []),
  ]
  const toggle = (name: PartName) =>
    openParts.set(open.includes(name) ? open.filter((other) => other !== name) : [...open, name])
  if (parts.length === 0) return null
  return (
    <>
      <fieldset className="session-parts" aria-label="About this session">
        {parts.map(({ name, count }) => {
          const isOpen = open.includes(name)
          return (
            <button
              key={name}
              type="button"
              className="part-toggle"
              aria-expanded={isOpen}
              aria-controls={isOpen ? `${id}${name}` : undefined}
              onClick={() => toggle(name)}
            >
              <Icon of={ChevronRight} small className="disclosure-chevron" />
              {NAMES[name]}
              {count !== null && <span className="dim">{formatCount(count)}</span>}
            </button>
          )
        })}
        {legend}
      </fieldset>
      {parts.map(
        ({ name, body }) =>
          open.includes(name) && (
            <div key={name} id={`${id}${name}`} className="session-part">
              <Border>{body()}</Border>
            </div>
          ),
      )}
    </>
  )
}
