import './notice-entry.css'
import './voice-line.css'
import type { Message } from 'gemini-sessions'
import { CircleAlert, Info, type LucideIcon, TriangleAlert } from 'lucide-react'
import { classNames } from '../../../lib/class-names.ts'
import { formatClock } from '../../../lib/format.ts'
import { TimeText } from '../../../ui/time-text.tsx'
import { Entry } from './entry.tsx'
import { MessageActions } from './message-actions.tsx'
import { PartBody } from './part-body.tsx'

const LOOKS: Record<string, [icon: LucideIcon, name: string]> = {
  info: [Info, 'Notice'],
  warning: [TriangleAlert, 'Warning'],
  error: [CircleAlert, 'Error'],
}

/** What the CLI itself said. */
export function NoticeEntry({
  message,
  isLast,
  labelId,
}: {
  message: Message
  isLast: boolean
  labelId: string
}) {
  const [icon, name] = LOOKS[message.type] ?? [Info, 'Notice']
  const isEmpty = message.content.every((part) => part.kind === 'text' && part.text.trim() === '')
  return (
    <Entry voice="cli" icon={icon} isLast={isLast}>
      <div className={classNames('cli-notice', message.type)}>
        <div className="voice-line">
          <b className="voice-name" id={labelId}>
            {name}
          </b>
          {message.timestamp !== null && (
            <TimeText time={message.timestamp}>{formatClock(message.timestamp, 'seconds')}</TimeText>
          )}
          <MessageActions message={message} />
        </div>
        {isEmpty && (
          <p className="dim">An empty notice: the CLI writes one when it compresses the context.</p>
        )}
        {message.content.map((part, index) => (
          <PartBody key={`${index} ${part.kind}`} id={`${message.key}/part-${index}`} part={part} />
        ))}
      </div>
    </Entry>
  )
}
