import './message.css'
import './entry/turn-ending.css'
import './entry/notice-entry.css'
import './entry/voice-line.css'
import type { Message } from 'gemini-sessions'
import { Box, CircleAlert, CircleX, Info, type LucideIcon, StickyNote, TriangleAlert } from 'lucide-react'
import { memo, useContext, useState } from 'react'
import { useMessageMark } from '../../../api/marks.ts'
import { JsonTree } from '../../../content/code/json-tree.tsx'
import { NeighbourContext } from '../../../content/neighbours/neighbour-context.ts'
import { HitContext, type HitTerm } from '../../../content/text/hit-context.ts'
import { MachineText } from '../../../content/text/machine-text.tsx'
import { classNames } from '../../../lib/browser/class-names.ts'
import { formatClock } from '../../../lib/figures/format.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { TimeText } from '../../../ui/figures/time-text.tsx'
import { ScrollRegion } from '../../../ui/frames/scroll-region.tsx'
import { Icon } from '../../../ui/signs/icon.tsx'
import { Leads } from '../lead/leads.tsx'
import { CardBoundary } from '../part/card-boundary.tsx'
import { messageAnchor } from '../part/message-link.ts'
import { PartBody } from '../part/part-body.tsx'
import type { Ending, Lead } from '../rows/row.ts'
import { MessageActions } from './actions/message-actions.tsx'
import { RawDialog } from './actions/raw-dialog.tsx'
import { Entry } from './entry/entry.tsx'
import { InjectedEntry } from './entry/injected-entry.tsx'
import { messageName, voiceName } from './entry/message-name.ts'
import { ModelEntries } from './entry/model-entries.tsx'
import { PromptEntry } from './entry/prompt-entry.tsx'
import { VoiceLine } from './entry/voice-line.tsx'

const ICONS: Record<string, LucideIcon> = { info: Info, warning: TriangleAlert, error: CircleAlert }
/** "Press F12 for diagnostics": keys and commands of the terminal, which do other things in a browser. */
const NAMES_ITS_KEYS =
  /\b(?:press|hit|use|type|run)\s+(?:F\d{1,2}|(?:ctrl|control|cmd|alt|option|shift)\s*[+-]|esc|enter|tab\b|\/[a-z])/i
/** The answer of the API as it came: JSON, or what else it sent. */
const QUOTES_AN_ANSWER = /^\s*\[API Error: /

interface Props {
  message: Message
  lead: Lead[]
  /** 0-based place among all messages of the session. */
  offset: number
  total: number
  /** Below the line of an open branch. */
  isInBranch: boolean
  isLastOfTurn: boolean
  isTakenBack: boolean
  ending: Ending | null
  isFlashing: boolean
  /** Of a session that is being written, its last message. */
  isPending: boolean
  /** Words to mark, where a search led here. */
  terms: readonly HitTerm[]
}

/** One message with what stands above it. */
export const MessageArticle = memo(function MessageArticle(props: Props) {
  const { message, lead, offset, total, isInBranch, isTakenBack, ending, isFlashing, isPending, terms } =
    props
  const anchor = messageAnchor(message.key)
  const isLast = props.isLastOfTurn && ending === null
  return (
    <article
      id={anchor}
      className={classNames(
        'message',
        message.superseded !== null && 'superseded',
        isTakenBack && 'taken-back',
        isInBranch && 'in-branch',
        message.agentKey !== null && 'of-agent',
        isFlashing && 'flashing',
      )}
      data-message-key={message.key}
      data-voice={voiceOf(message)}
      tabIndex={-1}
      aria-label={messageName(message)}
      aria-posinset={offset + 1}
      aria-setsize={total}
    >
      <Leads lead={lead} />
      <HitContext value={terms}>
        <CardBoundary what="This message" data={message}>
          <Entries {...{ message, isLast, isPending }} />
        </CardBoundary>
      </HitContext>
      <OwnNote messageKey={message.key} />
      {ending !== null && <TurnEnding ending={ending} />}
    </article>
  )
})

/** What the reader noted of the message. */
function OwnNote({ messageKey }: { messageKey: string }) {
  const { note } = useMessageMark(useContext(NeighbourContext).sessionRef, messageKey).mark
  if (note === '') return null
  return (
    <p className="message-note">
      <Icon of={StickyNote} small />
      <span dir="auto">
        <span className="visually-hidden">Your note: </span>
        {note}
      </span>
    </p>
  )
}

/** For checks and scripts: who speaks, whatever the page calls them. Thoughts and calls of tools in it say so themselves. */
function voiceOf({ type, origin }: Message): 'you' | 'gemini' | 'tool' | 'notice' {
  if (type === 'gemini') return 'gemini'
  if (type !== 'user') return 'notice'
  if (origin === 'human') return 'you'
  return origin === 'tool-result' ? 'tool' : 'notice'
}

function Entries(props: { message: Message; isLast: boolean; isPending: boolean }) {
  const { message } = props
  if (message.type === 'unknown') return <UnknownEntry {...props} />
  if (message.type === 'gemini') return <ModelEntries {...props} />
  if (message.type !== 'user') return <NoticeEntry {...props} />
  return message.origin === 'human' ? <PromptEntry {...props} /> : <InjectedEntry {...props} />
}

/** The line that closes a turn without answer: why, and the record that tells. */
function TurnEnding({ ending: { text, recordKey } }: { ending: Ending }) {
  const [isRawOpen, setIsRawOpen] = useState(false)
  return (
    <Entry voice="cli" icon={CircleX} isLast>
      <p className="turn-ending">
        <b dir="auto">
          <MachineText text={text} />
        </b>
        <Button size="tiny" onClick={() => setIsRawOpen(true)}>
          Raw record
        </Button>
      </p>
      {isRawOpen && <RawDialog messageKey={recordKey} onClose={() => setIsRawOpen(false)} />}
    </Entry>
  )
}

/** A message of a type that no known version writes: shown as the data it is. */
function UnknownEntry({ message, isLast }: { message: Message; isLast: boolean }) {
  return (
    <Entry voice="cli" icon={Box} isLast={isLast}>
      <VoiceLine message={message} actions={<MessageActions message={message} />} />
      <JsonTree
        value={message.content.map((part) => (part.kind === 'unknown' ? part.json : part))}
        label="Message of unknown type"
      />
    </Entry>
  )
}

/** What the CLI itself said. */
function NoticeEntry({ message, isLast }: { message: Message; isLast: boolean }) {
  const icon = ICONS[message.type] ?? Info
  const text = plainText(message)
  const isQuoted = text !== null && NAMES_ITS_KEYS.test(text)
  return (
    <Entry voice="cli" icon={icon} isLast={isLast}>
      <div className={classNames('cli-notice', message.type)}>
        <div className="voice-line">
          <h3 className="voice-name" aria-label={isQuoted ? undefined : messageName(message)}>
            {isQuoted ? 'Gemini CLI said in its terminal' : voiceName(message)}
          </h3>
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
