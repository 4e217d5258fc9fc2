import './notice-entry.css'
import './voice-line.css'
import type { Message } from 'gemini-sessions'
import { CircleAlert, Info, type LucideIcon, TriangleAlert } from 'lucide-react'
import { MachineText } from '../../../../content/text/machine-text.tsx'
import { classNames } from '../../../../lib/browser/class-names.ts'
import { formatClock } from '../../../../lib/figures/format.ts'
import { TimeText } from '../../../../ui/figures/time-text.tsx'
import { ScrollRegion } from '../../../../ui/frames/scroll-region.tsx'
import { MessageActions } from '../actions/message-actions.tsx'
import { PartBody } from '../part/part-body.tsx'
import { Entry } from './entry.tsx'

const LOOKS: Record<string, [icon: LucideIcon, name: string]> = {
  info: [Info, 'Notice'],
  warning: [TriangleAlert, 'Warning'],
  error: [CircleAlert, 'Error'],
}

/** "Press F12 for diagnostics": keys and commands of the terminal, which do other things in a browser. */
const NAMES_ITS_KEYS =
  /\b(?:press|hit|use|type|run)\s+(?:F\d{1,2}|(?:ctrl|control|cmd|alt|option|shift)\s*[+-]|esc|enter|tab\b|\/[a-z])/i

/** The answer of the API as it came: JSON, or what else it sent. */
const QUOTES_AN_ANSWER = /^\s*\[API Error: /

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
  const text = plainText(message)
  const isQuoted = text !== null && NAMES_ITS_KEYS.test(text)
  return (
    <Entry voice="cli" icon={icon} isLast={isLast}>
      <div className={classNames('cli-notice', message.type)}>
        <div className="voice-line">
          <b className="voice-name" id={labelId}>
            {isQuoted ? 'Gemini CLI said in its terminal' : name}
          </b>
          {message.timestamp !== null && (
            <TimeText time={message.timestamp}>{formatClock(message.timestamp, 'seconds')}</TimeText>
          )}
          <MessageActions message={message} />
        </div>
        {text?.trim() === '' && (
          <p className="dim">An empty notice: the CLI writes one when it compresses the context.</p>
        )}
        {text !== null && QUOTES_AN_ANSWER.test(text) ? (
          <ScrollRegion label="What the API answered" className="notice-answer">
            <pre dir="ltr">
              <MachineText text={text} />
            </pre>
          </ScrollRegion>
        ) : (
          <Words message={message} isQuoted={isQuoted} />
        )}
      </div>
    </Entry>
  )
}

function Words({ message, isQuoted }: { message: Message; isQuoted: boolean }) {
  const parts = message.content.map((part, index) => (
    <PartBody key={`${index} ${part.kind}`} id={`${message.key}/part-${index}`} part={part} />
  ))
  return isQuoted ? <blockquote className="notice-quote">{parts}</blockquote> : parts
}

/** null: it holds more than text. */
function plainText({ content }: Message): string | null {
  const texts = content.map((part) => (part.kind === 'text' ? part.text : null))
  return texts.includes(null) ? null : texts.join('\n')
}
