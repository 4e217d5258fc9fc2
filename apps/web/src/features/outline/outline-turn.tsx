import type { Turn } from 'gemini-sessions'
import { X } from 'lucide-react'
import { memo } from 'react'
import { classNames } from '../../lib/browser/class-names.ts'
import { formatPlural } from '../../lib/figures/format.ts'
import { isTurnTakenBack } from '../../lib/session/is-taken-back.ts'
import { SUPERSEDED_WORD } from '../../lib/session/superseded-word.ts'
import { TokenBar } from '../../ui/figures/token-bar.tsx'
import { Icon } from '../../ui/signs/icon.tsx'

interface Props {
  turn: Turn
  /** Its tokens against the largest turn, 0 to 1 on a square-root scale. */
  share: number
  isCurrent: boolean
  onJump: (messageKey: string, offset: number) => void
}

/** One turn: number, prompt, tokens, tools, failures. */
export const OutlineTurn = memo(function OutlineTurn({ turn, share, isCurrent, onJump }: Props) {
  return (
    <a
      href={`#m-${turn.messageKey}`}
      className={classNames('outline-turn', isTurnTakenBack(turn) && 'taken-back')}
      aria-current={isCurrent ? 'true' : undefined}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        onJump(turn.messageKey, turn.firstOffset)
      }}
    >
      <span className="outline-number">{turn.number}</span>
      <span className="outline-prompt" dir="auto">
        {turn.prompt.trim().split('\n', 1)[0] || 'No text'}
      </span>
      <span className="outline-facts">
        <TokenBar usage={turn.usage} share={share} />
        {turn.toolCalls > 0 && <span>{formatPlural(turn.toolCalls, 'tool call')}</span>}
        {turn.toolErrors > 0 && (
          <span className="outline-failures">
            <Icon of={X} small />
            {turn.toolErrors} failed
          </span>
        )}
        {turn.failure !== null ? (
          <span className="outline-failures" title={turn.failure.text}>
            <Icon of={X} small />
            request failed
          </span>
        ) : (
          turn.superseded !== null && <span>{SUPERSEDED_WORD[turn.superseded]}</span>
        )}
      </span>
    </a>
  )
})
