import type { ChangeExample, Depth, ExportFormat, ExportReview } from '@gemini-dash/api'
import { useQuery } from '@tanstack/react-query'
import { exportReviewQuery } from '../../api/session/session.ts'
import { formatCount, formatPlural } from '../../lib/figures/format.ts'
import { Disclosure } from '../../ui/controls/disclosure.tsx'
import { Failed } from '../../ui/states/failed.tsx'
import { SkeletonRows } from '../../ui/states/skeleton-rows.tsx'
import { MachineText } from '../text/machine-text.tsx'
import { REDACTED_KINDS } from './redacted-kinds.ts'

type Group = ExportReview['changes'][number]

interface Props {
  sessionRef: string
  format: ExportFormat
  depth: Depth
  /** Kinds and ids of changes that are not made. */
  kept: ReadonlySet<string>
  onKept: (kept: ReadonlySet<string>) => void
}

/** What is taken out, by kind and with what stands around it; each can be left in. */
export function ExportReviewList({ sessionRef, format, depth, kept, onKept }: Props) {
  const { data, error, refetch } = useQuery(exportReviewQuery(sessionRef, { format, depth }))
  if (error !== null)
    return <Failed what="The session could not be examined." error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonRows count={8} label="Looking for secrets and names" />
  return (
    <div className="export-review">
      <p className="dialog-said" role="status">
        {saidOf(data, kept)}
      </p>
      <ReviewedChanges changes={data.changes} kept={kept} onKept={onKept} />
    </div>
  )
}

interface SessionReviewProps extends Props {
  title: string
}

/** The same of one of several sessions: a line that opens. */
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

interface ReviewedProps extends Pick<ExportReview, 'changes'>, Pick<Props, 'kept' | 'onKept'> {
  /** Kinds are chosen for all sessions together. */
  areKindsFixed?: boolean
}

function ReviewedChanges({ changes, kept, onKept, areKindsFixed = false }: ReviewedProps) {
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

function takenOut({ kind, count, examples }: Group, kept: ReadonlySet<string>): number {
  if (kept.has(kind)) return 0
  return examples.reduce((sum, example) => (kept.has(example.id) ? sum - example.count : sum), count)
}

interface GroupProps {
  group: Group
  kept: ReadonlySet<string>
  /** The kind is not chosen here. */
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
  /** Its kind is left in as a whole. */
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
