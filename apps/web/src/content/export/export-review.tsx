import './export.css'
import type { ChangeExample, Depth, ExportFormat, ExportReview } from '@gemini-dash/api'
import { NEVER_LOOKED_FOR } from '@gemini-dash/api/redaction-words'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { download } from '../../api/request.ts'
import { exportReviewQuery } from '../../api/session.ts'
import { timeZone } from '../../lib/dates.ts'
import { formatCount, formatPlural, formatSize } from '../../lib/figures.ts'
import { Segmented } from '../../ui/controls.tsx'
import { Disclosure } from '../../ui/disclosure.tsx'
import { Notice } from '../../ui/states.tsx'
import { MachineText } from '../machine-text.tsx'

type Group = ExportReview['changes'][number]

interface SessionReviewProps {
  title: string
  sessionRef: string
  format: ExportFormat
  depth: Depth
  /** Kinds and ids of redactions that are skipped. */
  kept: ReadonlySet<string>
  onKept: (kept: ReadonlySet<string>) => void
}

/** Redactions in one of several sessions, in an expandable line. */
export function ExportSessionReview({ title, sessionRef, format, depth, kept, onKept }: SessionReviewProps) {
  const { data, error } = useQuery(exportReviewQuery(sessionRef, { format, depth }))
  const said = data === undefined ? 'Looking' : saidOf(data, kept)
  return (
    <Disclosure
      headClassName="export-session"
      head={
        <>
          <b dir="auto">{title}</b>
          <span className="dialog-said">{error === null ? said : 'It could not be examined.'}</span>
        </>
      }
    >
      {() =>
        data !== undefined && (
          <ReviewedChanges changes={data.changes} kept={kept} onKept={onKept} areKindsFixed />
        )
      }
    </Disclosure>
  )
}

interface ReviewedProps extends Pick<ExportReview, 'changes'>, Pick<SessionReviewProps, 'kept' | 'onKept'> {
  /** Kinds are selected for all sessions together. */
  areKindsFixed?: boolean
}

/** Redactions by kind with their surroundings; each can be skipped. */
export function ReviewedChanges({ changes, kept, onKept, areKindsFixed = false }: ReviewedProps) {
  const toggle = (id: string) => {
    const next = new Set(kept)
    if (!next.delete(id)) next.add(id)
    onKept(next)
  }
  return changes.map((group) => (
    <KindGroup key={group.kind} group={group} kept={kept} isFixed={areKindsFixed} onToggle={toggle} />
  ))
}

function saidOf({ changes, leftOut }: ExportReview, kept: ReadonlySet<string>): string {
  const count = changes.reduce((sum, group) => sum + takenOut(group, kept), 0)
  const out =
    count === 0
      ? 'Nothing is taken out.'
      : `${formatPlural(count, 'place')} ${count === 1 ? 'is' : 'are'} replaced.`
  const left = leftOut.map(({ what, count: of }) => ` Left out: ${what} (${formatCount(of)}).`).join('')
  return out + left
}

/** Number of redactions of a kind, without skipped ones. */
export function takenOut({ kind, count, examples }: Group, kept: ReadonlySet<string>): number {
  if (kept.has(kind)) return 0
  return examples.reduce((sum, example) => (kept.has(example.id) ? sum - example.count : sum), count)
}

interface GroupProps {
  group: Group
  kept: ReadonlySet<string>
  /** The kind cannot be changed here. */
  isFixed: boolean
  onToggle: (id: string) => void
}

function KindGroup({ group, kept, isFixed, onToggle }: GroupProps) {
  const { kind, count, examples } = group
  const isKept = kept.has(kind)
  const head = (
    <>
      <b>{REDACTED_KINDS[kind]}</b>
      <span>{formatPlural(count, 'place')}</span>
    </>
  )
  return (
    <section className="export-kind" aria-label={REDACTED_KINDS[kind]}>
      {isFixed ? (
        <p className="export-kind-head">{head}</p>
      ) : (
        <label className="export-kind-head">
          <input type="checkbox" checked={!isKept} onChange={() => onToggle(kind)} />
          {head}
        </label>
      )}
      <ul>
        {examples.map((example) => (
          <Example
            key={example.id}
            example={example}
            isKept={isKept || kept.has(example.id)}
            isFixed={isKept}
            onToggle={() => onToggle(example.id)}
          />
        ))}
      </ul>
    </section>
  )
}

interface ExampleProps {
  example: ChangeExample
  isKept: boolean
  /** Its whole kind is skipped. */
  isFixed: boolean
  onToggle: () => void
}

function Example({ example, isKept, isFixed, onToggle }: ExampleProps) {
  const { name, value, replacement, before, after, count } = example
  return (
    <li>
      <label className="export-change">
        <input type="checkbox" checked={!isKept} disabled={isFixed} onChange={onToggle} />
        <span className="export-change-text" dir="ltr">
          <MachineText text={before} />
          {isKept ? (
            <b>
              <MachineText text={value} />
            </b>
          ) : (
            <>
              <del>
                <MachineText text={value} />
              </del>{' '}
              <ins>{replacement}</ins>
            </>
          )}
          <MachineText text={after} />
        </span>
        <span className="export-change-facts">
          {name}
          {count > 1 && `, ${formatCount(count)} times`}
        </span>
      </label>
    </li>
  )
}

/** Names of redacted kinds. */
export const REDACTED_KINDS: Readonly<Record<ExportReview['changes'][number]['kind'], string>> = {
  secret: 'Secrets',
  home: 'Home folders',
  user: 'User names',
  host: 'Names of computers',
  email: 'E-mail addresses',
}

const FORMATS: { value: ExportFormat; label: string; title: string }[] = [
  {
    value: 'markdown',
    label: 'Markdown',
    title: 'For reading, e.g. on GitHub. Long parts are collapsed.',
  },
  {
    value: 'html',
    label: 'HTML',
    title: 'One HTML file without scripts, to share or print.',
  },
  { value: 'json', label: 'JSON', title: 'The session as the API answers it' },
  { value: 'jsonl', label: 'JSONL', title: 'The session in the first line, a message in each other' },
  {
    value: 'vac',
    label: 'VAC (IETF draft)',
    title: 'A record as the IETF’s draft on conversations with agents has it',
  },
  { value: 'raw', label: 'Original files', title: 'The original files' },
]
const DEPTHS: { value: Depth; label: string; title: string }[] = [
  { value: 'prompts', label: 'Prompts', title: 'Only what you typed' },
  { value: 'talk', label: 'Answers', title: 'Prompts and answers' },
  { value: 'thoughts', label: 'Thoughts', title: 'Prompts, answers and thoughts' },
  { value: 'tools', label: 'Tools', title: 'All this, and what tools were given and gave' },
  {
    value: 'all',
    label: 'Everything',
    title: 'Also attached files, and messages and notices from Gemini CLI',
  },
]
const REDACTIONS = [
  { value: 'on', label: 'Redacted', title: 'Without secrets, and without what names you' },
  { value: 'off', label: 'As recorded', title: 'With everything in the session' },
] as const

/** Raw files can only be exported unchanged. */
const UNREDACTED: ReadonlySet<ExportFormat> = new Set(['raw'])
const WITHOUT_DEPTH: ReadonlySet<ExportFormat> = new Set(['raw'])

export interface ExportChoice {
  format: ExportFormat
  depth: Depth
  redact: 'on' | 'off'
}

/** Options of an export. */
export function useExportChoice() {
  const [choice, choose] = useState<ExportChoice>({ format: 'markdown', depth: 'all', redact: 'on' })
  const { format, depth, redact } = choice
  const isRedacted = redact === 'on' && !UNREDACTED.has(format)
  /** `keep`: kinds and ids of redactions that are skipped. */
  const queryOf = (keep: ReadonlySet<string>) => ({
    format,
    ...(!WITHOUT_DEPTH.has(format) && { depth }),
    redact: isRedacted ? 'on' : 'off',
    ...(isRedacted && { keep: [...keep].join(',') }),
    tz: timeZone(),
  })
  return { choice, choose, isRedacted, queryOf }
}

/** Limited by the length of an address. */
const MOST_KEPT_LETTERS = 5_500

/** Whether more redactions are skipped than an address can list. */
export function isTooMuchKept({ keep = '' }: { keep?: string }): boolean {
  return keep.length > MOST_KEPT_LETTERS
}

interface Props {
  choice: ExportChoice
  onChoose: (choice: ExportChoice) => void
}

/** Export options, with a description of the format and a warning if secrets are included. */
export function ExportChoices({ choice, onChoose }: Props) {
  const { format, depth, redact } = choice
  const isRedacted = redact === 'on' && !UNREDACTED.has(format)
  const isAsRecorded = !isRedacted
  return (
    <>
      <div className="dialog-choices">
        <Segmented
          label="Format"
          options={FORMATS}
          value={format}
          onChange={(next) => onChoose({ ...choice, format: next })}
        />
        {!WITHOUT_DEPTH.has(format) && (
          <Segmented
            label="How much"
            options={DEPTHS}
            value={depth}
            onChange={(next) => onChoose({ ...choice, depth: next })}
          />
        )}
        {!UNREDACTED.has(format) && (
          <Segmented
            label="Redaction"
            options={REDACTIONS}
            value={redact}
            onChange={(next) => onChoose({ ...choice, redact: next })}
          />
        )}
      </div>
      <p className="dialog-said">{FORMATS.find(({ value }) => value === format)?.title}.</p>
      {isRedacted && <p className="dialog-said">{NEVER_LOOKED_FOR}</p>}
      {isAsRecorded && (
        <Notice tone="warning">The download includes secrets, names and addresses from the session.</Notice>
      )}
    </>
  )
}

type State =
  | { kind: 'idle' }
  | { kind: 'running'; bytes: number }
  | { kind: 'done'; bytes: number }
  | { kind: 'failed'; why: string }

/** Downloads a file that is generated on the fly: `said` is the progress or result, `stop` aborts it. */
export function useDownload() {
  const [state, setState] = useState<State>({ kind: 'idle' })
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])

  async function start(href: string) {
    const stop = new AbortController()
    running.current = stop
    let bytes = 0
    setState({ kind: 'running', bytes })
    const tell = (so: number) => {
      bytes = so
      setState({ kind: 'running', bytes })
    }
    try {
      await download(href, stop.signal, tell)
      setState({ kind: 'done', bytes })
    } catch (error) {
      if (stop.signal.aborted) setState({ kind: 'idle' })
      else setState({ kind: 'failed', why: error instanceof Error ? error.message : String(error) })
    }
  }
  return {
    said: wordsOf(state),
    isRunning: state.kind === 'running',
    start: (href: string) => void start(href),
    stop: () => running.current?.abort(),
  }
}

function wordsOf(state: State): string {
  if (state.kind === 'running') return state.bytes === 0 ? 'Writing…' : `${formatSize(state.bytes)}…`
  if (state.kind === 'done') return `${formatSize(state.bytes)}, downloaded`
  return state.kind === 'failed' ? `Not downloaded: ${state.why}` : ''
}
