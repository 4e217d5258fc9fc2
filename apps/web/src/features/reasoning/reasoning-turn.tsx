import { formatPlural } from '../../lib/figures/format.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Disclosure } from '../../ui/controls/disclosure.tsx'
import type { TurnReasoning } from './group-by-turn.ts'
import { ReasoningSteps } from './reasoning-steps.tsx'

interface Props {
  turn: TurnReasoning
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
  /** Key of the call that is being read, in whatever turn it is. */
  currentKey: string | undefined
  onJump: (messageKey: string, offset: number) => void
  onOpenThoughts: (messageKeys: string[], isOpen: boolean) => void
}

/** What the model thought about one prompt. */
export function ReasoningTurn({ turn, isOpen, onToggle, currentKey, onJump, onOpenThoughts }: Props) {
  return (
    <li className="reasoning-turn">
      <Disclosure
        isOpen={isOpen}
        onToggle={onToggle}
        headClassName="reasoning-head"
        head={
          <>
            <span className="reasoning-number">{turn.number}</span>
            <span className="reasoning-prompt" dir="auto">
              {turn.prompt || 'No text'}
            </span>
            <span className="reasoning-count" title={formatPlural(turn.thoughts, 'thought')}>
              <span className="visually-hidden">{formatPlural(turn.thoughts, 'thought')}</span>
              <span aria-hidden="true">{turn.thoughts}</span>
            </span>
          </>
        }
      >
        {() => (
          <>
            <ol>
              {turn.calls.map((call) => (
                <ReasoningSteps
                  key={call.messageKey}
                  call={call}
                  isCurrent={call.messageKey === currentKey}
                  onJump={onJump}
                />
              ))}
            </ol>
            {turn.thoughts > 1 && (
              <Button
                look="quiet"
                size="tiny"
                className="reasoning-open"
                onClick={() =>
                  onOpenThoughts(
                    turn.calls.map(({ messageKey }) => messageKey),
                    true,
                  )
                }
              >
                Open the {turn.thoughts} thoughts of this turn
              </Button>
            )}
          </>
        )}
      </Disclosure>
    </li>
  )
}
