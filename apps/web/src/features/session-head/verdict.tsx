import './verdict.css'
import type { SessionDetail } from '@gemini-dash/api'
import type { SessionSummary } from 'gemini-sessions'
import {
  CircleCheck,
  CircleDashed,
  CircleQuestionMark,
  CircleSlash,
  CircleX,
  type LucideIcon,
  TriangleAlert,
} from 'lucide-react'
import { MachineText } from '../../content/text/machine-text.tsx'
import { ToMessage } from '../../ui/controls/to-message.tsx'
import { Icon } from '../../ui/signs/icon.tsx'

type Outcome = NonNullable<SessionSummary['outcome']>

const SIGNS: Record<Outcome['kind'] | NonNullable<Outcome['fate']>, LucideIcon | null> = {
  finished: CircleCheck,
  // says so itself, with a point that beats
  live: null,
  stopped: CircleSlash,
  error: CircleX,
  unanswered: CircleQuestionMark,
  stillFailing: CircleX,
  neverRerun: TriangleAlert,
  empty: CircleDashed,
}

interface Props {
  sessionRef: string
  session: SessionSummary
  figures: SessionDetail['figures']
}

/** How the session ended, and how many calls failed with what became of them; each leads to its place. */
export function Verdict({ sessionRef, session: { outcome }, figures: { failedCalls } }: Props) {
  if (outcome === null) return null
  const state = outcome.fate ?? outcome.kind
  const sign = SIGNS[state]
  return (
    <>
      {sign !== null && (
        <span className={`verdict ${state}`}>
          <Icon of={sign} small />
          <VerdictText sessionRef={sessionRef} outcome={outcome} />
        </span>
      )}
      {failedCalls !== null && (
        <ToMessage
          sessionRef={sessionRef}
          messageKey={failedCalls.messageKey}
          call={null}
          className="failure-link"
          title="Tool calls that failed. Go to the first of them"
        >
          {failedCalls.text}
        </ToMessage>
      )}
    </>
  )
}

/** `Finished: …`: how in bold, what as the link. */
function VerdictText({
  sessionRef,
  outcome: { text, messageKey },
}: {
  sessionRef: string
  outcome: Outcome
}) {
  const [, how, what] = /^([A-Z][^:`]{2,40}:) (.+)$/s.exec(text) ?? []
  const words = <Words text={what ?? text} />
  return (
    <>
      {how !== undefined && <b>{how} </b>}
      {messageKey === null ? (
        <b>{words}</b>
      ) : (
        <ToMessage
          sessionRef={sessionRef}
          messageKey={messageKey}
          call={null}
          className="verdict-link"
          title={text}
        >
          {words}
        </ToMessage>
      )}
    </>
  )
}

/** Commands stand between backticks. */
function Words({ text }: { text: string }) {
  return (
    <span dir="auto">
      {text.split('`').map((piece, index) =>
        index % 2 === 1 ? (
          <code key={index} className="mono">
            <MachineText text={piece} />
          </code>
        ) : (
          <MachineText key={index} text={piece} />
        ),
      )}
    </span>
  )
}
