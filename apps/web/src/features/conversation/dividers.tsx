import './conversation.css'
import type { SessionDetail } from '@gemini-dash/api'
import type { Turn } from 'gemini-sessions'
import { FoldVertical, GitCommitHorizontal, Play } from 'lucide-react'
import { MachineText } from '../../content/machine-text.tsx'
import { dayOf, formatClock, formatDay } from '../../lib/dates.ts'
import { formatDuration, formatTokens } from '../../lib/figures.ts'
import { isTurnTakenBack } from '../../lib/session-words.ts'
import { TimeText } from '../../ui/figures.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Notice } from '../../ui/states.tsx'
import type { Divider } from './row.ts'

interface Props {
  dividers: Divider[]
  /** The margin below shows the turn number. */
  isTurnShown?: boolean
}

/** What is drawn above a message: seams, pauses, the header of its turn. */
export function Dividers({ dividers, isTurnShown = false }: Props) {
  return dividers.map((item) => <DividerItem key={item.key} item={item} isTurnShown={isTurnShown} />)
}

function DividerItem({ item, isTurnShown }: { item: Divider; isTurnShown: boolean }) {
  switch (item.kind) {
    case 'compressed':
      return (
        <CompressedSeam
          inputBefore={item.inputBefore}
          inputAfter={item.inputAfter}
          part={item.part}
          file={item.file}
        />
      )
    case 'part':
      return <PartSeam part={item.part} reason={item.reason} file={item.file} />
    case 'resumed':
      return <ResumedSeam />
    case 'pause':
      return <PauseLine from={item.from} to={item.to} isNewDay={item.isNewDay} />
    case 'new':
      return <p className="pause-line meta new-line">New since you were here</p>
    case 'turn':
      return <TurnHead turn={item.turn} isShown={isTurnShown} />
  }
}

/** A long pause or a new day. */
function PauseLine({ from, to, isNewDay }: { from: string; to: string; isNewDay: boolean }) {
  const pauseMs = Date.parse(to) - Date.parse(from)
  const later = pauseMs >= 60_000 ? `${formatDuration(pauseMs)} later` : null
  const day = isNewDay ? formatDay(dayOf(new Date(to))) : null
  return <p className="pause-line meta">{[day, later].filter(Boolean).join(', ')}</p>
}

/** Start of a turn: a double rule; number and time unless shown below. */
function TurnHead({ turn, isShown }: { turn: Turn; isShown: boolean }) {
  const { number, startTime } = turn
  return (
    <header className={isTurnTakenBack(turn) ? 'turn-head meta taken-back' : 'turn-head meta'}>
      <h2 className={isShown ? 'visually-hidden' : undefined}>Turn {number}</h2>
      {!isShown && startTime !== null && (
        <TimeText time={startTime}>{formatClock(startTime, 'seconds')}</TimeText>
      )}
    </header>
  )
}

interface CompressedProps {
  inputBefore: number | null
  inputAfter: number | null
  part: number | null
  file: string
}

/** Where the context was compressed, with the tokens saved. */
function CompressedSeam({ inputBefore, inputAfter, part, file }: CompressedProps) {
  const saved =
    inputBefore !== null && inputAfter !== null
      ? `${formatTokens(inputBefore)} became ${formatTokens(inputAfter)} tokens`
      : null
  const facts = [saved, part === null ? null : `continues in part ${part}`].filter(Boolean).join(', ')
  return (
    <div className="seam">
      <div>
        <b>
          <Icon of={FoldVertical} small />
          Context compressed
        </b>
        {facts !== '' && <small>{facts}</small>}
        <FileName path={file} />
      </div>
    </div>
  )
}

interface PartProps {
  part: number
  reason: 'compress' | 'resume' | 'start'
  file: string
}

/** Where the conversation continues in another file. */
function PartSeam({ part, reason, file }: PartProps) {
  return (
    <div className="seam">
      <div>
        <b>
          <Icon of={GitCommitHorizontal} small />
          {reason === 'resume' ? `Resumed: part ${part}` : `Continues in part ${part}`}
        </b>
        <small>
          {reason === 'resume' ? 'everything above is in an older file only' : `continues in part ${part}`}
        </small>
        <FileName path={file} />
      </div>
    </div>
  )
}

/** Where a later run of the CLI continued in the same file. */
function ResumedSeam() {
  return (
    <div className="seam">
      <div>
        <b>
          <Icon of={Play} small />
          Resumed
        </b>
        <small>the session was opened again here</small>
      </div>
    </div>
  )
}

function FileName({ path }: { path: string }) {
  const name = path.split('/').at(-1) ?? ''
  return (
    name !== '' && (
      <small className="seam-file mono" dir="ltr" title={path}>
        <MachineText text={name} />
      </small>
    )
  )
}

const CAUSES: Record<NonNullable<SessionDetail['buriedBy']>, string> = {
  rewound: 'Everything was rewound.',
  refused: 'The request failed, and the prompt was undone.',
  'failed-load': 'Gemini CLI started to resume it and stopped early: only the context is left.',
  cleared: 'Its messages were cleared.',
}

/** Above a session that the CLI itself would show as empty. */
export function BuriedNotice({ cause }: { cause: SessionDetail['buriedBy'] }) {
  return (
    <Notice tone="warning">
      <b>Gemini CLI can’t resume this session anymore.</b> {cause !== null && CAUSES[cause]} Its file is still
      here.
    </Notice>
  )
}
