import type { Depth, ExportFormat, ExportReview } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { NEVER_LOOKED_FOR } from '@gemini-dash/api/redaction-words'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { SessionSummary } from 'gemini-sessions'
import { ChevronDown, FileDown, Printer } from 'lucide-react'
import { useState } from 'react'
import { exportReviewQuery, fetchTranscript } from '../api/session.ts'
import { isTooMuchKept, ReviewedChanges, takenOut, useDownload } from '../content/export/export-review.tsx'
import { MachineText } from '../content/machine-text.tsx'
import { timeZone } from '../lib/dates.ts'
import { formatCount, formatPlural, formatSize } from '../lib/figures.ts'
import { redactsByDefault } from '../lib/preferences.ts'
import { boundActions, runAction } from '../lib/use-actions.ts'
import { Button, MenuButton } from '../ui/buttons/button.tsx'
import { CopyItem, MenuItem } from '../ui/buttons/menu-item.tsx'
import { Check } from '../ui/controls.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icons.tsx'
import { FailedLine, Notice } from '../ui/states.tsx'

type Change = ExportReview['changes'][number]
type Kind = Change['kind']

/** Groups of kinds that can be left unredacted together. */
const GROUPS: readonly { name: string; kinds: readonly Kind[] }[] = [
  { name: 'Your name and home folder', kinds: ['home', 'user', 'host'] },
  { name: 'Email addresses', kinds: ['email'] },
  { name: 'Keys and tokens', kinds: ['secret'] },
]
const ALL_KINDS = GROUPS.flatMap(({ kinds }) => kinds)

interface Props {
  sessionRef: string
  session: SessionSummary
  onClose: () => void
}

/** Export of a session as a file, with a preview of its redactions. */
export default function ShareDialog({ sessionRef, session, onClose }: Props) {
  const [kept, setKept] = useState<ReadonlySet<string>>(
    () => new Set(redactsByDefault.get() ? [] : ALL_KINDS),
  )
  const [hasTools, setHasTools] = useState(true)
  const [hasFiles, setHasFiles] = useState(false)
  const depth: Depth = !hasTools ? 'thoughts' : hasFiles ? 'all' : 'tools'
  const asked = useQuery({
    ...exportReviewQuery(sessionRef, { format: 'html', depth }),
    // the list stays until the new one is loaded
    placeholderData: keepPreviousData,
  })
  const { said, isRunning, start, stop } = useDownload()
  const isRedacted = ALL_KINDS.some((kind) => !kept.has(kind))
  const keep = [...kept].join(',')
  const isTooMuch = isRedacted && isTooMuchKept({ keep })
  const save = (format: ExportFormat) =>
    start(
      apiPaths.exported(sessionRef, {
        format,
        ...(format !== 'raw' && { depth }),
        redact: isRedacted && format !== 'raw' ? 'on' : 'off',
        ...(isRedacted && format !== 'raw' && { keep }),
        tz: timeZone(),
      }),
    )
  return (
    <Dialog
      title="Share this session"
      onClose={onClose}
      actions={
        <div className="flex flex-1 flex-wrap gap-2 *:text-sm">
          <Button look="primary" size="large" disabled={isRunning || isTooMuch} onClick={() => save('html')}>
            Readable file (HTML)
          </Button>
          <ProgramsMenu
            sessionRef={sessionRef}
            sessionKey={session.key}
            isRedacted={isRedacted}
            rawBytes={session.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)}
            onSave={(format) => !isTooMuch && save(format)}
            onClose={onClose}
          />
          <Button look="quiet" size="large" className="ms-auto" onClick={() => runAction('briefSession')}>
            Brief for another agent
          </Button>
        </div>
      }
    >
      <p>{session.recorded !== null && `${saidOf(session)} `}You get a file; nothing is uploaded.</p>
      <FailedLine what="Couldn’t look for secrets and names." asked={asked} />
      <Redactions changes={asked.data?.changes} kept={kept} onKept={setKept} />
      <div>
        <Check label="Include tool output" isOn={hasTools} onChange={setHasTools} />
        <br />
        <Check
          label="Include attached files and pictures"
          isOn={hasTools && hasFiles}
          isDisabled={!hasTools}
          onChange={setHasFiles}
        />
      </div>
      {asked.data !== undefined && asked.data.leftOut.length > 0 && (
        <p className="dialog-said">
          Not included:{' '}
          {asked.data.leftOut.map(({ what, count }) => `${what} (${formatCount(count)})`).join(', ')}
        </p>
      )}
      {!isRedacted && (
        <Notice tone="warning">The file includes secrets, names and addresses from the session.</Notice>
      )}
      {isTooMuch && (
        <Notice tone="warning">Too many single texts to leave in. Turn off their kind above instead.</Notice>
      )}
      {said !== '' && (
        <p className="dialog-said" role="status">
          {said}
          {isRunning && (
            <Button size="tiny" onClick={stop}>
              Stop
            </Button>
          )}
        </p>
      )}
    </Dialog>
  )
}

interface RedactionsProps {
  /** undefined until loaded. */
  changes: readonly Change[] | undefined
  kept: ReadonlySet<string>
  onKept: (kept: ReadonlySet<string>) => void
}

/** Number of redactions by kind, and each place on request. */
function Redactions({ changes, kept, onKept }: RedactionsProps) {
  const [isPreviewed, setIsPreviewed] = useState(false)
  return (
    <>
      <h3 className="pt-1 font-[600]">
        {changes === undefined ? 'Looking for secrets and names…' : headingOf(changes, kept)}
      </h3>
      <ul className="sheet">
        {GROUPS.map(({ name, kinds }) => (
          <li
            key={name}
            className="flex min-h-8 flex-wrap items-center justify-between gap-x-3 border-line px-3 py-1 not-first:border-t"
          >
            <Check
              label={name}
              isOn={kinds.some((kind) => !kept.has(kind))}
              onChange={(isOn) => onKept(withKinds(kept, kinds, !isOn))}
            />
            <span className="mono min-w-0 wrap-anywhere text-ink-2" dir="ltr">
              <Found changes={changes?.filter(({ kind }) => kinds.includes(kind))} />
            </span>
          </li>
        ))}
      </ul>
      {changes !== undefined && changes.length > 0 && (
        <p>
          <button
            type="button"
            className="link"
            aria-expanded={isPreviewed}
            onClick={() => setIsPreviewed(!isPreviewed)}
          >
            {isPreviewed ? 'Hide redactions' : 'Preview redactions'}
          </button>
        </p>
      )}
      {isPreviewed && changes !== undefined && (
        <div className="export-review">
          <p className="dialog-said">{NEVER_LOOKED_FOR}</p>
          <ReviewedChanges changes={[...changes]} kept={kept} onKept={onKept} areKindsFixed />
        </div>
      )}
    </>
  )
}

function withKinds(kept: ReadonlySet<string>, kinds: readonly Kind[], areKept: boolean): ReadonlySet<string> {
  const next = new Set(kept)
  for (const kind of kinds) {
    if (areKept) next.add(kind)
    else next.delete(kind)
  }
  return next
}

/** With the calls of sub-agents: the file has their conversations, too. */
function saidOf({ recorded, withSubagents }: SessionSummary): string {
  const toolCalls = withSubagents.toolCalls ?? recorded?.toolCalls ?? 0
  return `${formatPlural(recorded?.turns ?? 0, 'turn')}, ${formatPlural(toolCalls, 'tool call')}.`
}

/** `331 items will be redacted` */
function headingOf(changes: readonly Change[], kept: ReadonlySet<string>): string {
  const count = changes.reduce((sum, change) => sum + takenOut(change, kept), 0)
  return count === 0 ? 'Nothing will be redacted' : `${formatPlural(count, 'item')} will be redacted`
}

/** `331 × /home/mia → ~` */
function Found({ changes }: { changes: readonly Change[] | undefined }) {
  if (changes === undefined) return '…'
  const count = changes.reduce((sum, change) => sum + change.count, 0)
  const [first] = changes.flatMap(({ examples }) => examples)
  if (first === undefined) return 'none found'
  return (
    <>
      {formatCount(count)} × <MachineText text={first.value.slice(0, MOST_LETTERS)} /> → {first.replacement}
    </>
  )
}

/** Length at which a redacted text is truncated, enough to recognize it. */
const MOST_LETTERS = 40

const FORMATS: readonly { format: ExportFormat; label: string }[] = [
  { format: 'markdown', label: 'Markdown' },
  { format: 'json', label: 'JSON' },
  { format: 'jsonl', label: 'JSONL' },
  { format: 'vac', label: 'VAC (IETF draft)' },
  { format: 'raw', label: 'Original files, unredacted' },
]

interface ProgramsMenuProps {
  sessionRef: string
  sessionKey: string
  isRedacted: boolean
  /** Size of the original files; other formats have no size until they are created. */
  rawBytes: number
  onSave: (format: ExportFormat) => void
  onClose: () => void
}

/** Other ways to export a session: files for programs, clipboard, paper. */
function ProgramsMenu({ sessionRef, sessionKey, isRedacted, rawBytes, onSave, onClose }: ProgramsMenuProps) {
  const redact = isRedacted ? 'on' : 'off'
  return (
    <MenuButton
      className="button large"
      label="For programs…"
      face={
        <>
          For programs… <Icon of={ChevronDown} small />
        </>
      }
    >
      {FORMATS.map(({ format, label }) => (
        <MenuItem
          key={format}
          icon={FileDown}
          label={format === 'raw' ? `${label} (${formatSize(rawBytes)})` : label}
          onChoose={() => onSave(format)}
        />
      ))}
      <CopyItem
        label="Copy as Markdown"
        text={() => fetchTranscript(sessionRef, { as: 'markdown', redact })}
      />
      <CopyItem label="Copy as plain text" text={() => fetchTranscript(sessionRef, { as: 'text', redact })} />
      <CopyItem label="Link for this browser" text={() => `${window.location.origin}/s/${sessionKey}`} />
      {boundActions().includes('printSession') && (
        <MenuItem
          icon={Printer}
          label="Print"
          onChoose={() => {
            onClose()
            runAction('printSession')
          }}
        />
      )}
    </MenuButton>
  )
}
