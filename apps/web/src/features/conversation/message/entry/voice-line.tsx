import { SupersededWord } from '../../../../content/text/superseded-word.tsx'
import './voice-line.css'
import type { Message } from 'gemini-sessions'
import type { ReactNode } from 'react'
import { MachineText } from '../../../../content/text/machine-text.tsx'
import { formatClock, formatModel } from '../../../../lib/figures/format.ts'
import { TimeText } from '../../../../ui/figures/time-text.tsx'
import { messageName, voiceName } from './message-name.ts'

interface Props {
  message: Message
  actions?: ReactNode
}

/** Who speaks, with which model, when; what became of it. */
export function VoiceLine({ message, actions }: Props) {
  return (
    <div className="voice-line">
      <h3 className="voice-name" aria-label={messageName(message)}>
        {voiceName(message)}
      </h3>
      <span>
        {message.model !== null && (
          <span title={message.model}>
            <MachineText text={formatModel(message.model)} />
          </span>
        )}
        {message.model !== null && message.timestamp !== null && ', '}
        {message.timestamp !== null && (
          <TimeText time={message.timestamp}>{formatClock(message.timestamp, 'seconds')}</TimeText>
        )}
      </span>
      {message.superseded !== null && (
        <SupersededWord cause={message.superseded} className="superseded-word" />
      )}
      {message.copyOf !== null && <span className="dim">{copyWords(message)}</span>}
      {actions}
    </div>
  )
}

/** A document can hold one message several times; any other copy has an id of its own. */
function copyWords({ id, copyOf }: Message): string {
  const isRecordedAgain = id !== '' && (copyOf === id || copyOf?.startsWith(`${id}~`) === true)
  return isRecordedAgain ? 'recorded more than once' : 'carried over from before'
}
