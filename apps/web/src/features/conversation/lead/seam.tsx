import { FoldVertical, GitCommitHorizontal, Play } from 'lucide-react'
import { MachineText } from '../../../content/text/machine-text.tsx'
import { formatTokens } from '../../../lib/figures/format.ts'
import { Icon } from '../../../ui/signs/icon.tsx'

interface CompressedProps {
  inputBefore: number | null
  inputAfter: number | null
  part: number | null
  file: string
}

/** Where the context was compressed, with what that saved. */
export function CompressedSeam({ inputBefore, inputAfter, part, file }: CompressedProps) {
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

/** Where the conversation goes on in another file. */
export function PartSeam({ part, reason, file }: PartProps) {
  return (
    <div className="seam">
      <div>
        <b>
          <Icon of={GitCommitHorizontal} small />
          {reason === 'resume' ? `Resumed: part ${part}` : `Part ${part}`}
        </b>
        <small>
          {reason === 'resume'
            ? 'what stands above is held by an older file alone'
            : 'the conversation goes on in a new file'}
        </small>
        <FileName path={file} />
      </div>
    </div>
  )
}

/** Where a later run of the CLI went on in the same file. */
export function ResumedSeam() {
  return (
    <div className="seam">
      <div>
        <b>
          <Icon of={Play} small />
          Resumed
        </b>
        <small>the session was opened again and goes on here</small>
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
