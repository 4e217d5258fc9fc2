import './step-buttons.css'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { IconButton } from '../../ui/buttons/icon-button.tsx'

type StepKind = 'prompt' | 'answer' | 'error'

interface Props {
  kind: StepKind
  onKind: (kind: StepKind) => void
  onStep: (kind: StepKind, by: 1 | -1) => void
}

const KINDS: Record<StepKind, { name: string; next: string; previous: string }> = {
  prompt: { name: 'Prompts', next: 'Next prompt (Shift+J)', previous: 'Previous prompt (Shift+K)' },
  answer: { name: 'Answers', next: 'Next answer (a)', previous: 'Previous answer (Shift+A)' },
  error: { name: 'Errors', next: 'Next error (e)', previous: 'Previous error (Shift+E)' },
}

/** On to the next prompt, answer or error of the whole session, and back. */
export function StepButtons({ kind, onKind, onStep }: Props) {
  return (
    <span className="step-buttons">
      <select aria-label="Step by" value={kind} onChange={(event) => onKind(event.target.value as StepKind)}>
        {Object.entries(KINDS).map(([value, { name }]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      <IconButton icon={ChevronUp} label={KINDS[kind].previous} onClick={() => onStep(kind, -1)} />
      <IconButton icon={ChevronDown} label={KINDS[kind].next} onClick={() => onStep(kind, 1)} />
    </span>
  )
}
