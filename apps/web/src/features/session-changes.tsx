import './session-changes.css'
import {
  commandStateText,
  EDIT_DOUBT_WORDS,
  EDIT_STATE_WORDS,
  failureNotes,
  NOT_TRACKED,
} from '@gemini-dash/api/change-words'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ChangeStep, SessionChanges, SessionSummary } from 'gemini-sessions'
import { CircleCheck, CircleMinus, CircleX, type LucideIcon } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { sessionAnswerQuery } from '../api/session-answer.ts'
import DiffTable from '../content/diff-table.tsx'
import { MachineText } from '../content/machine-text.tsx'
import { SupersededWord } from '../content/superseded-word.tsx'
import { classNames } from '../lib/browser.ts'
import { formatClock } from '../lib/dates.ts'
import { formatCount, formatPlural } from '../lib/figures.ts'
import { fileFilter } from '../lib/page-searches.ts'
import { Button } from '../ui/buttons/button.tsx'
import { LineChangeFigure, TimeText } from '../ui/figures.tsx'
import { Icon } from '../ui/icons.tsx'
import { Failed, SkeletonRows } from '../ui/states.tsx'
import { ToMessage } from '../ui/to-message.tsx'

/** Steps drawn at first and per click: each edit is a table. */
const STEPS_AT_ONCE = 150

interface Props {
  sessionRef: string
  session: SessionSummary
}

/** The commands and edits of a session by prompt, in recorded order. */
export default function ChangeList({ sessionRef, session }: Props) {
  const { data, error, refetch } = useQuery(sessionAnswerQuery('changes', sessionRef))
  if (error !== null && data === undefined)
    return <Failed what={CHANGES_TEXT.notLoaded} error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonRows count={6} label={CHANGES_TEXT.loading} />
  return <Steps {...{ sessionRef, session }} story={data} />
}

type Turn = SessionChanges['turns'][number]

function Steps({ sessionRef, session, story }: Props & { story: SessionChanges }) {
  const [shown, setShown] = useState(STEPS_AT_ONCE)
  const feed = useRef<HTMLDivElement>(null)
  const turns = firstSteps(story.turns, shown)
  const left = countSteps(story.turns) - shown
  function showFile({ callId, messageKey }: SessionChanges['files'][number]) {
    const steps = story.turns.flatMap((turn) => turn.steps)
    const at = steps.findIndex((step) => step.callId === callId && step.messageKey === messageKey)
    if (at >= shown) flushSync(() => setShown(at + STEPS_AT_ONCE))
    const card = feed.current?.querySelectorAll<HTMLElement>('.change')[at]
    card?.scrollIntoView({ block: 'start' })
    card?.querySelector<HTMLElement>('.change-name')?.focus({ preventScroll: true })
  }
  return (
    <div className="changes">
      <ChangedFiles story={story} onShow={showFile} />
      <div className="changes-feed" ref={feed}>
        {turns.length === 0 && <p className="changes-note">{CHANGES_TEXT.none}</p>}
        {turns.map((turn) => (
          <section
            key={turn.number}
            aria-label={turn.number === 0 ? turnName(turn) : CHANGES_TEXT.turn(turn.number)}
          >
            <div className="changes-turn">
              {turn.messageKey !== null && turn.number > 0 && (
                <ToMessage sessionRef={sessionRef} messageKey={turn.messageKey} call={null} className="link">
                  {CHANGES_TEXT.turn(turn.number)}
                </ToMessage>
              )}
              <h2 dir="auto">{turnName(turn)}</h2>
            </div>
            {turn.steps.map((step) => (
              <Step
                key={`${step.offset} ${step.callId} ${'path' in step ? step.path : ''}`}
                {...{ step, sessionRef }}
                projectKey={session.project.key}
              />
            ))}
          </section>
        ))}
        {left > 0 && (
          <Button className="changes-more" onClick={() => setShown(shown + STEPS_AT_ONCE)}>
            {CHANGES_TEXT.moreSteps(Math.min(left, STEPS_AT_ONCE))}
          </Button>
        )}
        <p className="changes-note dim">
          {NOT_TRACKED} <OfSubagents keys={session.subagentKeys} />
        </p>
      </div>
    </div>
  )
}

function turnName({ number, prompt }: Turn): string {
  const line = prompt.trim().split('\n', 1)[0] ?? ''
  if (line !== '') return line
  return number === 0 ? CHANGES_TEXT.beforeFirstPrompt : CHANGES_TEXT.noText
}

function Step({ step, ...place }: StepPlace & { step: ChangeStep }) {
  const { sessionRef } = place
  return step.kind === 'edit' ? (
    <EditStep edit={step} {...place} />
  ) : (
    <CommandStep step={step} sessionRef={sessionRef} />
  )
}

/** The turns up to this many steps. */
function firstSteps(turns: readonly Turn[], most: number): Turn[] {
  let left = most
  return turns.flatMap((turn) => {
    const steps = turn.steps.slice(0, Math.max(left, 0))
    left -= turn.steps.length
    return steps.length === 0 ? [] : [{ ...turn, steps }]
  })
}

function countSteps(turns: readonly Turn[]): number {
  return turns.reduce((sum, { steps }) => sum + steps.length, 0)
}

/** Changes by sub-agents are in their own sessions. */
function OfSubagents({ keys }: { keys: readonly string[] }) {
  if (keys.length === 0) return null
  return (
    <>
      {CHANGES_TEXT.ofSubagents}{' '}
      {keys.map((key, index) => (
        <span key={key}>
          {index > 0 && ', '}
          <Link to="/s/$key" params={{ key }} search={{ view: 'changes' }} className="link">
            {CHANGES_TEXT.subagent(index + 1)}
          </Link>
        </span>
      ))}
    </>
  )
}

interface ChangedFilesProps {
  story: SessionChanges
  onShow: (file: SessionChanges['files'][number]) => void
}

/** The edited files, each with a link to its last edit. */
function ChangedFiles({ story: { files, counts }, onShow }: ChangedFilesProps) {
  const { linesAdded, linesRemoved } = counts
  return (
    <nav className="changes-files" aria-label={CHANGES_TEXT.files}>
      <p>{CHANGES_TEXT.fileCount(files.length, linesAdded, linesRemoved)}</p>
      <ol>
        {files.map((file) => (
          <li key={file.path}>
            <button type="button" title={file.path} onClick={() => onShow(file)}>
              <MachineText text={file.name} />
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}

/** Texts of the changes view, besides the state labels (`@gemini-dash/api/change-words`). */
const CHANGES_TEXT = {
  notLoaded: 'Couldn’t load the changes.',
  loading: 'Loading the changes',
  none: 'No commands or edits.',
  turn: (number: number) => `Turn ${number}`,
  beforeFirstPrompt: 'Before the first prompt',
  noText: 'A prompt without text',
  moreSteps: (count: number) => `Show ${formatPlural(count, 'more step')}`,
  ofSubagents: 'Changes of sub-agents:',
  subagent: (number: number) => `sub-agent ${number}`,

  files: 'Changed files',
  fileCount: (files: number, added: number, removed: number) =>
    `${formatPlural(files, 'file')}, +${formatCount(added)} −${formatCount(removed)}`,

  openInConversation: 'Open in conversation',
  inFolder: 'in',
  noTime: 'No time',
  editOf: (file: string) => `Edit of ${file}`,
  history: (path: string) => `${path}: history in all sessions`,
  allLines: (count: number) => `Show all ${formatCount(count)} lines`,
  shortened: 'Shortened. Open it in the conversation for the full diff.',
} as const

type Command = Extract<ChangeStep, { kind: 'command' }>

interface CommandStepProps {
  step: Command
  sessionRef: string
}

/** One command: its outcome and, if it failed, when it last worked and what was edited since. */
export function CommandStep({ step, sessionRef }: CommandStepProps) {
  const { command, folder, superseded, state, said, messageKey } = step
  const look = lookOf(step)
  return (
    <StepFrame step={step} sessionRef={sessionRef}>
      <div className={classNames('change-run', look)}>
        <p className="change-head">
          <Icon of={ICONS[state] ?? CircleMinus} className={TONES[look] ?? 'dim'} />
          <b className="change-name">
            <MachineText text={command} />
          </b>
          <span className={state === 'failed' ? classNames('change-failed', TONES[look]) : 'dim'}>
            {commandStateText(step)}
          </span>
          {folder !== null && (
            <span className="dim">
              {CHANGES_TEXT.inFolder} <MachineText text={folder} />
            </span>
          )}
          {superseded !== null && <SupersededWord cause={superseded} className="dim" />}
          {state === 'failed' && (
            <ToMessage
              sessionRef={sessionRef}
              messageKey={messageKey}
              call={null}
              className="link change-state"
            >
              {CHANGES_TEXT.openInConversation}
            </ToMessage>
          )}
        </p>
        {failureNotes(step, (iso) => formatClock(iso, 'seconds')).map((note) => (
          <p key={note}>{note}</p>
        ))}
        {said !== null && (
          <p className={classNames('change-said', TONES[look])} dir="ltr">
            <MachineText text={said} />
          </p>
        )}
      </div>
    </StepFrame>
  )
}

type Look = 'ok' | 'plain' | 'red' | 'amber' | 'gray'

const ICONS: Partial<Record<Command['state'], LucideIcon>> = { worked: CircleCheck, failed: CircleX }
const TONES: Partial<Record<Look, string>> = { ok: 'tone-success', red: 'tone-error', amber: 'tone-warning' }

/** Red while still failing, amber if never rerun, gray if it later succeeded or was rewound. */
function lookOf({ state, fate }: Command): Look {
  if (state === 'worked') return 'ok'
  if (state !== 'failed') return 'plain'
  if (fate === 'stillFailing') return 'red'
  return fate === 'neverRerun' ? 'amber' : 'gray'
}

interface StepFrameProps {
  step: Pick<ChangeStep, 'messageKey' | 'timestamp'>
  sessionRef: string
  children: ReactNode
}

/** A step beside its time, which links to the message. */
function StepFrame({ step: { messageKey, timestamp }, sessionRef, children }: StepFrameProps) {
  return (
    <div className="change">
      <ToMessage
        sessionRef={sessionRef}
        messageKey={messageKey}
        call={null}
        className="change-time"
        title={CHANGES_TEXT.openInConversation}
      >
        {timestamp === null ? (
          CHANGES_TEXT.noTime
        ) : (
          <TimeText time={timestamp}>{formatClock(timestamp, 'seconds')}</TimeText>
        )}
      </ToMessage>
      {children}
    </div>
  )
}

type Edit = Extract<ChangeStep, { kind: 'edit' }>

const FIRST_LINES = 40

interface StepPlace {
  sessionRef: string
  projectKey: string
}

/** One edit: its file, the change, and how much of it is in the last known content of the file. */
function EditStep({ edit, sessionRef, projectKey }: StepPlace & { edit: Edit }) {
  const { path, name, lines, state, doubt, diff, superseded } = edit
  return (
    <StepFrame step={edit} sessionRef={sessionRef}>
      <article className="change-file" aria-label={CHANGES_TEXT.editOf(name)}>
        <div className="change-head">
          <Link
            to="/search"
            search={{ q: fileFilter(name), project: projectKey }}
            className="change-name"
            title={CHANGES_TEXT.history(path)}
          >
            <MachineText text={name} />
          </Link>
          {lines !== null && state !== 'not-made' && <LineChangeFigure {...lines} />}
          <span className="change-state">
            {superseded !== null && (
              <>
                <SupersededWord cause={superseded} />
                {', '}
              </>
            )}
            <span title={doubt === null ? undefined : EDIT_DOUBT_WORDS[doubt]}>
              {superseded === null ? EDIT_STATE_WORDS[state] : EDIT_STATE_WORDS[state].toLowerCase()}
            </span>
          </span>
        </div>
        {diff !== null && diff.text !== '' && <EditDiff diff={diff} name={name} />}
      </article>
    </StepFrame>
  )
}

function EditDiff({ diff: { text, isCut }, name }: { diff: NonNullable<Edit['diff']>; name: string }) {
  const [isAll, setIsAll] = useState(false)
  const hasPlaces = text.startsWith('@@')
  const lineCount = text.split('\n').length
  return (
    <>
      <DiffTable
        patch={hasPlaces ? text : withHead(text)}
        name={name}
        maxLines={isAll ? lineCount + 1 : FIRST_LINES}
        layout="unified"
        hasNumbers={hasPlaces}
      />
      {lineCount > FIRST_LINES && !isAll && (
        <button type="button" className="link change-more" onClick={() => setIsAll(true)}>
          {CHANGES_TEXT.allLines(lineCount)}
        </button>
      )}
      {isCut && (isAll || lineCount <= FIRST_LINES) && (
        <p className="change-more dim">{CHANGES_TEXT.shortened}</p>
      )}
    </>
  )
}

/** Turns removed and added lines without positions into a single hunk. */
function withHead(text: string): string {
  const lines = text.split('\n')
  const removed = lines.filter((line) => line.startsWith('-')).length
  return `@@ -1,${removed} +1,${lines.length - removed} @@\n${text}`
}
