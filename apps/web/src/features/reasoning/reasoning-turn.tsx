import type { ReasoningCall } from 'gemini-sessions'
import { MachineText } from '../../content/text/machine-text.tsx'
import { classNames } from '../../lib/browser/class-names.ts'
import { formatDuration, formatPlural, formatTokens } from '../../lib/figures/format.ts'
import { isTakenBack } from '../../lib/session/is-taken-back.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Disclosure } from '../../ui/controls/disclosure.tsx'
import type { TurnReasoning } from './group-by-turn.ts'

/** Thoughts of one chunk carry the same time: "0.0 s" would say nothing. */
const MIN_TOLD_MS = 100

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

interface ReasoningStepsProps {
  call: ReasoningCall
  /** The call that is being read. */
  isCurrent: boolean
  onJump: (messageKey: string, offset: number) => void
}

/** The thoughts of one call: what each is about, and after how long it came. */
function ReasoningSteps({ call, isCurrent, onJump }: ReasoningStepsProps) {
  const { messageKey, offset, steps, tokens, superseded } = call
  return (
    <li>
      <a
        href={`#m-${messageKey}`}
        className={classNames('reasoning-call', isTakenBack(superseded) && 'taken-back')}
        aria-current={isCurrent ? 'true' : undefined}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return
          event.preventDefault()
          onJump(messageKey, offset)
        }}
      >
        {steps.map((step, index) => (
          <span key={`${index} ${step.subject}`} className="reasoning-step">
            <span className="reasoning-subject" dir="auto">
              <MachineText text={step.subject || 'No words'} />
            </span>
            {step.afterMs !== null && step.afterMs >= MIN_TOLD_MS && (
              <span className="reasoning-time" title="Time since what was recorded before">
                {formatDuration(step.afterMs)}
              </span>
            )}
          </span>
        ))}
        {tokens !== null && tokens.thoughts > 0 && (
          <span className="reasoning-tokens">
            {formatTokens(tokens.thoughts)} thought, {formatTokens(tokens.output)} answered
          </span>
        )}
      </a>
    </li>
  )
}
