import './reasoning.css'
import type { Reasoning, ReasoningCall, Turn } from 'gemini-sessions'
import { memo, useMemo, useState } from 'react'
import { MachineText } from '../content/machine-text.tsx'
import { classNames } from '../lib/browser.ts'
import { formatDuration, formatPlural, formatTokens } from '../lib/figures.ts'
import { isTakenBack } from '../lib/session-words.ts'
import { Button } from '../ui/buttons/button.tsx'
import { Disclosure } from '../ui/disclosure.tsx'

interface Props {
  reasoning: Reasoning
  turns: readonly Turn[]
  /** Offset of the message being read. */
  place: number
  onJump: (messageKey: string, offset: number) => void
  /** Opens or closes the thoughts of these messages in the conversation. */
  onOpenThoughts: (messageKeys: string[], isOpen: boolean) => void
}

/** Up to this many thoughts are all open; beyond that, only those of the turn being read. */
const MAX_OPEN_THOUGHTS = 200

/** The model's reasoning, one line per thought. */
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

  if (total === 0) return <p className="reasoning-none meta">No thoughts were recorded in this session.</p>
  return (
    <nav aria-label="Reasoning" className="reasoning-nav">
      <h2 className="reasoning-title meta">
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

interface TurnReasoning {
  number: number
  /** First line of the prompt; '' before the first one. */
  prompt: string
  calls: ReasoningCall[]
  thoughts: number
}

/** Turns with thoughts, in order. */
function groupByTurn({ calls }: Reasoning, turns: readonly Turn[]): TurnReasoning[] {
  const prompts = new Map(turns.map((turn) => [turn.number, turn.prompt]))
  const groups = new Map<number, TurnReasoning>()
  for (const call of calls) {
    const group = groups.get(call.turn) ?? {
      number: call.turn,
      prompt: (prompts.get(call.turn) ?? '').trim().split('\n', 1)[0] ?? '',
      calls: [],
      thoughts: 0,
    }
    group.calls.push(call)
    group.thoughts += call.steps.length
    groups.set(call.turn, group)
  }
  return [...groups.values()]
}

/** Thoughts of one chunk have the same time: "0.0 s" would be meaningless. */
const MIN_TOLD_MS = 100

interface ReasoningTurnProps {
  turn: TurnReasoning
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
  /** Key of the request being read, in whatever turn. */
  currentKey: string | undefined
  onJump: (messageKey: string, offset: number) => void
  onOpenThoughts: (messageKeys: string[], isOpen: boolean) => void
}

/** Thoughts about one prompt. */
function ReasoningTurn({ turn, isOpen, onToggle, currentKey, onJump, onOpenThoughts }: ReasoningTurnProps) {
  return (
    <li className="reasoning-turn">
      <Disclosure
        isOpen={isOpen}
        onToggle={onToggle}
        headClassName="reasoning-head"
        head={
          <>
            <span className="reasoning-number meta">{turn.number}</span>
            <span className="reasoning-prompt one-line" dir="auto">
              {turn.prompt || 'No text'}
            </span>
            <span className="reasoning-count meta" title={formatPlural(turn.thoughts, 'thought')}>
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
  /** The request being read. */
  isCurrent: boolean
  onJump: (messageKey: string, offset: number) => void
}

/** Thoughts of one request: the subject of each, and when it came. */
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
