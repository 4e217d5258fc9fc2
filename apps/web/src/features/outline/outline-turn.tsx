import './outline.css'
import type { Turn } from 'gemini-sessions'
import { X } from 'lucide-react'
import { memo } from 'react'
import { SupersededWord } from '../../content/text/superseded-word.tsx'
import { classNames } from '../../lib/browser/class-names.ts'
import { formatPlural } from '../../lib/figures/format.ts'
import { isTurnTakenBack } from '../../lib/session/is-taken-back.ts'
import { FailedCalls } from '../../ui/controls/failed-calls.tsx'
import { ToMessage } from '../../ui/controls/to-message.tsx'
import { TokenBar } from '../../ui/figures/token-bar.tsx'
import { Icon } from '../../ui/signs/icon.tsx'

interface OutlineTurnProps {
  sessionRef: string
  turn: Turn
  /** Its tokens against the largest turn, 0 to 1 on a square-root scale. */
  share: number
  isCurrent: boolean
  /** null: the link alone leads there. */
  onJump: ((messageKey: string, offset: number) => void) | null
}

/** One turn: number, prompt, tokens, tools, failures. All of it leads to its prompt, the failures to the first of them. */
export const OutlineTurn = memo(function OutlineTurn(props: OutlineTurnProps) {
  const { sessionRef, turn, share, isCurrent, onJump } = props
  return (
    <div className={classNames('outline-turn', isTurnTakenBack(turn) && 'taken-back')}>
      <a
        href={`#m-${turn.messageKey}`}
        aria-current={isCurrent ? 'true' : undefined}
        onClick={(event) => {
          if (onJump === null || event.metaKey || event.ctrlKey || event.shiftKey) return
          event.preventDefault()
          onJump(turn.messageKey, turn.firstOffset)
        }}
      >
        <span className="outline-number">{turn.number}</span>
        <span className="outline-prompt" dir="auto">
          {turn.prompt.trim().split('\n', 1)[0] || 'No text'}
        </span>
      </a>
      <span className="outline-facts">
        <TokenBar usage={turn.usage} share={share} />
        {turn.toolCalls > 0 && <span>{formatPlural(turn.toolCalls, 'tool call')}</span>}
        <FailedCalls sessionRef={sessionRef} turn={turn} sign={<Icon of={X} small />} />
        {turn.failure !== null ? (
          <ToMessage
            sessionRef={sessionRef}
            messageKey={turn.failure.noticeKey ?? turn.messageKey}
            call={null}
            className="failure-link"
            title={turn.failure.text}
          >
            <Icon of={X} small />
            request failed
          </ToMessage>
        ) : (
          turn.superseded !== null && <SupersededWord cause={turn.superseded} />
        )}
      </span>
    </div>
  )
})
