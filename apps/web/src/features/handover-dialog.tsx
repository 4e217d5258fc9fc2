import type { Handover, HandoverQuery } from '@gemini-dash/api'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sessionAnswerQuery } from '../api/session-answer.ts'
import { formatPlural } from '../lib/figures.ts'
import { CopyButton } from '../ui/buttons/button.tsx'
import { Segmented } from '../ui/controls.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Failed, Notice, SkeletonRows } from '../ui/states.tsx'

const BUDGETS = [
  { value: '5000', label: '5k' },
  { value: '20000', label: '20k' },
  { value: '50000', label: '50k tokens' },
] as const

const REDACTIONS: { value: HandoverQuery['redact']; label: string; title: string }[] = [
  {
    value: 'on',
    label: 'Redacted',
    title: 'Without secrets, home folder, user and host name, e-mail addresses',
  },
  { value: 'off', label: 'As recorded', title: 'With everything in the session' },
]

/** Context for another agent to continue the work, to read and copy. */
export default function HandoverDialog({ sessionRef, onClose }: { sessionRef: string; onClose: () => void }) {
  const [budget, setBudget] = useState<(typeof BUDGETS)[number]['value']>('20000')
  const [redact, setRedact] = useState<HandoverQuery['redact']>('on')
  const { data, error, refetch } = useQuery(
    sessionAnswerQuery('handover', sessionRef, { budget: Number(budget), redact }),
  )
  return (
    <Dialog
      title="Brief for another agent"
      shape="side"
      tools={data !== undefined && <CopyButton text={data.text} label="Copy Markdown" />}
      onClose={onClose}
    >
      <p>Every quote is from the log.</p>
      <div className="dialog-choices">
        <Segmented label="At most so many tokens" options={BUDGETS} value={budget} onChange={setBudget} />
        <Segmented label="Redaction" options={REDACTIONS} value={redact} onChange={setRedact} />
      </div>
      {redact === 'off' && (
        <Notice tone="warning">This text includes secrets, names and addresses from the session.</Notice>
      )}
      {error !== null && (
        <Failed what="Couldn’t write the brief." error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <SkeletonRows count={8} label="Reading the session" />}
      {data !== undefined && (
        <>
          <p className="dialog-said">{saidOf(data)}</p>
          <pre className="dialog-text" dir="auto">
            {data.text}
          </pre>
        </>
      )}
    </Dialog>
  )
}

/** `At most 4,812 tokens. Left out: 12 exchanges, 3 files; shortened: 5 texts.` */
function saidOf({ tokens, leftOut: { shortened, ...counts } }: Handover): string {
  const nouns = {
    prompts: ['prompt'],
    answers: ['answer'],
    tasks: ['task'],
    memories: ['memory', 'memories'],
    exchanges: ['exchange'],
    files: ['file'],
    errors: ['failure'],
    commands: ['command'],
  } as const
  const missing = Object.entries(nouns).flatMap(([name, [noun, many]]) => {
    const count = counts[name as keyof typeof counts]
    return count === 0 ? [] : formatPlural(count, noun, many)
  })
  const said = missing.length === 0 ? 'Nothing was left out' : `Left out: ${missing.join(', ')}`
  const short = shortened === 0 ? '' : `; shortened: ${formatPlural(shortened, 'text')}`
  return `At most ${formatPlural(tokens, 'token')}. ${said}${short}.`
}
