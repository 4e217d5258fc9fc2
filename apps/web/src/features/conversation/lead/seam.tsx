import { FoldVertical, GitCommitHorizontal } from 'lucide-react'
import { formatTokens } from '../../../lib/format.ts'
import { Icon } from '../../../ui/icon.tsx'

interface CompressedProps {
  inputBefore: number | null
  inputAfter: number | null
  part: number | null
}

/** Where the context was compressed, with what that saved. */
export function CompressedSeam({ inputBefore, inputAfter, part }: CompressedProps) {
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
      </div>
    </div>
  )
}

/** Where the conversation goes on in another file. */
export function PartSeam({ part, reason }: { part: number; reason: 'compress' | 'resume' | 'start' }) {
  return (
    <div className="seam">
      <div>
        <b>
          <Icon of={GitCommitHorizontal} small />
          Part {part}
        </b>
        <small>
          {reason === 'resume'
            ? 'held by another file of this session'
            : 'the conversation goes on in a new file'}
        </small>
      </div>
    </div>
  )
}
