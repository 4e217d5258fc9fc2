import './reasoning-outline.css'
import type { Reasoning, Turn } from 'gemini-sessions'
import { memo, useMemo, useState } from 'react'
import { formatPlural, formatTokens } from '../../lib/figures/format.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { groupByTurn, type TurnReasoning } from './group-by-turn.ts'
import { ReasoningTurn } from './reasoning-turn.tsx'

interface Props {
  reasoning: Reasoning
  turns: readonly Turn[]
  /** Offset of the message that is being read. */
  place: number
  onJump: (messageKey: string, offset: number) => void
  /** Opens or closes the thoughts of these messages in the conversation. */
  onOpenThoughts: (messageKeys: string[], isOpen: boolean) => void
}

/** Up to so many thoughts stand open; of more, those of the turn being read. */
const MAX_OPEN_THOUGHTS = 200

/** The model's reasoning in one line per thought. */
export const ReasoningOutline = memo(function ReasoningOutline(props: Props) {
  const { reasoning, turns, place, onJump, onOpenThoughts } = props
  const groups = useMemo(() => groupByTurn(reasoning, turns), [reasoning, turns])
  const total = groups.reduce((sum, group) => sum + group.thoughts, 0)
  const current = reasoning.calls.findLast(({ offset }) => offset <= place)
  const [choices, setChoices] = useState<ReadonlyMap<number, boolean>>(new Map())
  const isOpen = ({ number }: TurnReasoning) =>
    choices.get(number) ?? (total <= MAX_OPEN_THOUGHTS || number === current?.turn)
  const openAll = (isOpen: boolean) =>
    onOpenThoughts(
      reasoning.calls.map(({ messageKey }) => messageKey),
      isOpen,
    )

  if (total === 0) return <p className="reasoning-none">No thoughts were recorded in this session.</p>
  return (
    <nav aria-label="Reasoning" className="reasoning-nav">
      <h2 className="reasoning-title">
        {formatPlural(total, 'thought')}: {formatTokens(reasoning.tokens.thoughts)} tokens,{' '}
        {formatTokens(reasoning.tokens.output)} answered
      </h2>
      <div className="reasoning-actions">
        <Button look="quiet" size="tiny" onClick={() => openAll(true)}>
          Open all thoughts
        </Button>
        <Button look="quiet" size="tiny" onClick={() => openAll(false)}>
          Close all
        </Button>
      </div>
      <ol>
        {groups.map((group) => (
          <ReasoningTurn
            key={group.number}
            turn={group}
            isOpen={isOpen(group)}
            onToggle={(isOpen) => setChoices(new Map(choices).set(group.number, isOpen))}
            currentKey={current?.messageKey}
            onJump={onJump}
            onOpenThoughts={onOpenThoughts}
          />
        ))}
      </ol>
    </nav>
  )
})
