import type { ReasoningCall } from 'gemini-sessions'
import { MachineText } from '../../content/text/machine-text.tsx'
import { classNames } from '../../lib/browser/class-names.ts'
import { formatDuration, formatTokens } from '../../lib/figures/format.ts'
import { isTakenBack } from '../../lib/session/is-taken-back.ts'

interface Props {
  call: ReasoningCall
  /** The call that is being read. */
  isCurrent: boolean
  onJump: (messageKey: string, offset: number) => void
}

/** The thoughts of one call: what each is about, and after how long it came. */
export function ReasoningSteps({ call, isCurrent, onJump }: Props) {
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

/** Thoughts of one chunk carry the same time: "0.0 s" would say nothing. */
const MIN_TOLD_MS = 100
