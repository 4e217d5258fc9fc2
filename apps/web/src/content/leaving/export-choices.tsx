import { NEVER_LOOKED_FOR } from '@gemini-dash/api/redaction-words'
import './export.css'
import type { Depth, ExportFormat } from '@gemini-dash/api'
import { useState } from 'react'
import { timeZone } from '../../lib/figures/time-zone.ts'
import { Segmented } from '../../ui/controls/segmented.tsx'
import { Notice } from '../../ui/states/notice.tsx'

const FORMATS: { value: ExportFormat; label: string; title: string }[] = [
  {
    value: 'markdown',
    label: 'Markdown',
    title: 'To be read, on GitHub for example: what is long is folded',
  },
  {
    value: 'html',
    label: 'HTML',
    title: 'One file that looks like this page and runs nothing: to be sent, opened, printed',
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

export interface ExportChoice {
  format: ExportFormat
  depth: Depth
  redact: 'on' | 'off'
}

/** How sessions are to leave. */
export function useExportChoice() {
  const [choice, choose] = useState<ExportChoice>({ format: 'markdown', depth: 'all', redact: 'on' })
  const { format, depth, redact } = choice
  const isRedacted = redact === 'on' && !UNREDACTED.has(format)
  /** `keep`: kinds and ids of changes that are not made. */
  const queryOf = (keep: ReadonlySet<string>) => ({
    format,
    ...(!WITHOUT_DEPTH.has(format) && { depth }),
    ...(format !== 'csv' && { redact: isRedacted ? 'on' : 'off' }),
    ...(isRedacted && { keep: [...keep].join(',') }),
    tz: timeZone(),
  })
  return { choice, choose, isRedacted, queryOf }
}

/** An address has no room for more. */
const MOST_KEPT_LETTERS = 5_500

/** So many single texts were left in that no address can name them. */
export function isTooMuchKept({ keep = '' }: { keep?: string }): boolean {
  return keep.length > MOST_KEPT_LETTERS
}

interface Props {
  choice: ExportChoice
  onChoose: (choice: ExportChoice) => void
}

/** What can be chosen, with a sentence on the format and a warning where secrets leave too. */
export function ExportChoices({ choice, onChoose }: Props) {
  const { format, depth, redact } = choice
  const isAsRecorded = format !== 'csv' && (UNREDACTED.has(format) || redact === 'off')
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
      {!isAsRecorded && format !== 'csv' && <p className="dialog-said">{NEVER_LOOKED_FOR}</p>}
      {isAsRecorded && (
        <Notice tone="warning">
          Secrets, names and addresses that stand in the session are in what you download.
        </Notice>
      )}
    </>
  )
}
