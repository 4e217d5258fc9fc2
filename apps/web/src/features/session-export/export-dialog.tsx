import './export-dialog.css'
import type { Depth, ExportFormat } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { X } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../../ui/buttons/icon-button.tsx'
import { Segmented } from '../../ui/controls/segmented.tsx'
import { Notice } from '../../ui/states/notice.tsx'
import { ExportReviewList } from './export-review-list.tsx'

const FORMATS: { value: ExportFormat; label: string; title: string }[] = [
  {
    value: 'markdown',
    label: 'Markdown',
    title: 'To be read, on GitHub for example: what is long is folded',
  },
  { value: 'json', label: 'JSON', title: 'The session as the API answers it' },
  { value: 'jsonl', label: 'JSON lines', title: 'The session in the first line, a message in each other' },
  { value: 'csv', label: 'CSV', title: 'A line for each call of a model, with tokens and cost' },
  {
    value: 'vac',
    label: 'VAC record',
    title: 'A record as the IETF’s draft on conversations with agents has it',
  },
  { value: 'raw', label: 'Files', title: 'The files as they lie on disk' },
]
const DEPTHS: { value: Depth; label: string; title: string }[] = [
  { value: 'prompts', label: 'Prompts', title: 'Only what you typed' },
  { value: 'talk', label: 'Answers', title: 'Prompts and answers' },
  { value: 'thoughts', label: 'Thoughts', title: 'Prompts, answers and thoughts' },
  { value: 'tools', label: 'Tools', title: 'All this, and what tools were given and gave' },
  { value: 'all', label: 'Everything', title: 'Also attached files, what the CLI added, and its notices' },
]
const REDACTIONS = [
  { value: 'on', label: 'Redacted', title: 'Without secrets, and without what names you' },
  { value: 'off', label: 'As recorded', title: 'With everything that stands in the session' },
] as const

/** The table of calls holds none of it, and the files as they lie can only be taken as they are. */
const UNREDACTED: ReadonlySet<ExportFormat> = new Set(['csv', 'raw'])
const WITHOUT_DEPTH: ReadonlySet<ExportFormat> = new Set(['csv', 'raw'])
/** An address has no room for more. */
const MOST_KEPT_LETTERS = 5_500

/** How a session leaves, and what is taken out of it: nothing goes before it could be looked at. */
export default function ExportDialog({ sessionRef, onClose }: { sessionRef: string; onClose: () => void }) {
  const [format, setFormat] = useState<ExportFormat>('markdown')
  const [depth, setDepth] = useState<Depth>('all')
  const [redact, setRedact] = useState<'on' | 'off'>('on')
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set())
  const isRedacted = redact === 'on' && !UNREDACTED.has(format)
  const keep = [...kept].join(',')
  const isTooMuch = isRedacted && keep.length > MOST_KEPT_LETTERS
  const query = {
    format,
    ...(!WITHOUT_DEPTH.has(format) && { depth }),
    ...(format !== 'csv' && { redact: isRedacted ? 'on' : 'off' }),
    ...(isRedacted && { keep }),
  }
  return (
    <dialog
      className="export-dialog"
      aria-labelledby="export-title"
      ref={(dialog) => {
        if (dialog !== null && !dialog.open) dialog.showModal()
      }}
      onClose={onClose}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <header className="export-head">
        <h2 id="export-title">Export</h2>
        {!isTooMuch && (
          <a className="button primary" href={apiPaths.exported(sessionRef, query)} download>
            Download
          </a>
        )}
        <IconButton icon={X} label="Close" onClick={onClose} />
      </header>
      <div className="export-choices">
        <Segmented label="Format" options={FORMATS} value={format} onChange={setFormat} />
        {!WITHOUT_DEPTH.has(format) && (
          <Segmented label="How much" options={DEPTHS} value={depth} onChange={setDepth} />
        )}
        {!UNREDACTED.has(format) && (
          <Segmented label="Redaction" options={REDACTIONS} value={redact} onChange={setRedact} />
        )}
      </div>
      <p className="export-said">{FORMATS.find(({ value }) => value === format)?.title}.</p>
      {!isRedacted && format !== 'csv' && (
        <Notice tone="warning">
          Secrets, names and addresses that stand in the session are in what you download.
        </Notice>
      )}
      {isTooMuch && (
        <Notice tone="warning">So many single texts cannot be left in. Leave in their whole kind.</Notice>
      )}
      {isRedacted && (
        <ExportReviewList
          sessionRef={sessionRef}
          format={format}
          depth={depth}
          kept={kept}
          onKept={setKept}
        />
      )}
    </dialog>
  )
}
