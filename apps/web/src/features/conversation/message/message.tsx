import './message.css'
import type { Message, Turn } from 'gemini-sessions'
import {
  Box,
  ChevronRight,
  CircleAlert,
  CircleX,
  Info,
  type LucideIcon,
  Network,
  StickyNote,
  TriangleAlert,
  Undo2,
} from 'lucide-react'
import { memo, useContext, useState, useSyncExternalStore } from 'react'
import { useMessageMark } from '../../../api/marks.ts'
import { JsonTree } from '../../../content/json-tree.tsx'
import { HitContext, type HitTerm, MachineText } from '../../../content/machine-text.tsx'
import { Markdown } from '../../../content/markdown.tsx'
import { NeighbourContext } from '../../../content/stored-files.tsx'
import { classNames, pageFind } from '../../../lib/browser.ts'
import { formatFineCost, formatPlural, formatTokens } from '../../../lib/figures.ts'
import { messageAnchor, SUPERSEDED_MEANING } from '../../../lib/session-words.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { useFindable } from '../../../ui/disclosure.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { ScrollRegion } from '../../../ui/scroll-region.tsx'
import { Dividers } from '../dividers.tsx'
import { CardBoundary, PartBody } from '../part-body.tsx'
import { type Divider, type Ending, type Fold, type FoldTally, foldHeadline, type RunPlace } from '../row.ts'
import { Entry, InjectedEntry, ModelEntries, messageName, PromptEntry, VoiceLine } from './entry.tsx'
import { MessageMargin } from './margin.tsx'
import { RawDialog } from './message-actions.tsx'

const ICONS: Record<string, LucideIcon> = { info: Info, warning: TriangleAlert, error: CircleAlert }
/** "Press F12 for diagnostics": keys and commands of the terminal, which do something else in a browser. */
const NAMES_ITS_KEYS =
  /\b(?:press|hit|use|type|run)\s+(?:F\d{1,2}|(?:ctrl|control|cmd|alt|option|shift)\s*[+-]|esc|enter|tab\b|\/[a-z])/i
/** The raw answer of the API: JSON or other text. */
const QUOTES_AN_ANSWER = /^\s*\[API Error: /

interface Props {
  message: Message
  dividers: Divider[]
  /** 0-based position among all messages of the session. */
  offset: number
  total: number
  /** Drawn below the line of an open branch. */
  isInBranch: boolean
  isLastOfTurn: boolean
  isTakenBack: boolean
  ending: Ending | null
  run: RunPlace | null
  isFlashing: boolean
  /** The last message of a session that is being written. */
  isPending: boolean
  /** Search words to highlight. */
  terms: readonly HitTerm[]
}

/** One message with what is drawn above it. */
export const MessageArticle = memo(function MessageArticle(props: Props) {
  const { message, dividers, offset, total, isInBranch, isTakenBack, ending, run } = props
  const { isFlashing, isPending, terms } = props
  const anchor = messageAnchor(message.key)
  const isLast = props.isLastOfTurn && ending === null
  const turn = dividers.find((item) => item.kind === 'turn')?.turn ?? null
  const isPrompt = voiceOf(message) === 'you'
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
        run && `run-${run.at}`,
      )}
      data-message-key={message.key}
      data-voice={voiceOf(message)}
      tabIndex={-1}
      aria-label={messageName(message)}
      aria-posinset={offset + 1}
      aria-setsize={total}
    >
      <Dividers dividers={dividers} isTurnShown={isPrompt} />
      <HitContext value={terms}>
        <CardBoundary what="This message" data={message}>
          <Entries {...{ message, isLast, isPending, run, turn }} />
        </CardBoundary>
      </HitContext>
      <OwnNote messageKey={message.key} />
      {ending !== null && <TurnEnding ending={ending} />}
    </article>
  )
})

/** The reader's note on the message. */
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

/** For checks and scripts: the speaker, independent of display names. Thoughts and tool calls have their own attributes. */
function voiceOf({ type, origin }: Message): 'you' | 'gemini' | 'tool' | 'notice' {
  if (type === 'gemini') return 'gemini'
  if (type !== 'user') return 'notice'
  if (origin === 'human') return 'you'
  return origin === 'tool-result' ? 'tool' : 'notice'
}

interface EntriesProps {
  message: Message
  isLast: boolean
  isPending: boolean
  run: RunPlace | null
  turn: Turn | null
}

function Entries(props: EntriesProps) {
  const { message, isLast, isPending, run, turn } = props
  if (message.type === 'unknown') return <UnknownEntry message={message} isLast={isLast} />
  if (message.type === 'gemini') return <ModelEntries {...{ message, isLast, isPending, run }} />
  if (message.type !== 'user') return <NoticeEntry message={message} isLast={isLast} />
  return message.origin === 'human' ? (
    <PromptEntry {...{ message, isLast, turn }} />
  ) : (
    <InjectedEntry message={message} isLast={isLast} />
  )
}

/** The line that ends a turn without an answer: the reason, and the record behind it. */
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

/** A message of a type that no known version writes, shown as raw data. */
function UnknownEntry({ message, isLast }: { message: Message; isLast: boolean }) {
  return (
    <Entry voice="cli" icon={Box} isLast={isLast} margin={<MessageMargin message={message} />}>
      <VoiceLine message={message} />
      <JsonTree
        value={message.content.map((part) => (part.kind === 'unknown' ? part.json : part))}
        label="Message of unknown type"
      />
    </Entry>
  )
}

/** A message of the CLI itself. */
function NoticeEntry({ message, isLast }: { message: Message; isLast: boolean }) {
  const icon = ICONS[message.type] ?? Info
  const text = plainText(message)
  const isQuoted = text !== null && NAMES_ITS_KEYS.test(text)
  return (
    <Entry voice="cli" icon={icon} isLast={isLast} margin={<MessageMargin message={message} />}>
      <div className={classNames('cli-notice', message.type)}>
        <VoiceLine message={message} {...(isQuoted && { name: 'Shown in the terminal' })} />
        {text?.trim() === '' && (
          <p className="dim">An empty notice: Gemini CLI writes one when it compresses the context.</p>
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

/** null if it contains more than text. */
function plainText({ content }: Message): string | null {
  const texts = content.map((part) => (part.kind === 'text' ? part.text : null))
  return texts.includes(null) ? null : texts.join('\n')
}

/** The line of a fold: cause, first words, size and cost. */
export function FoldHead({ fold, tally, isOpen }: { fold: Fold; tally: FoldTally; isOpen: boolean }) {
  const isAgent = fold.cause === 'agent'
  return (
    <>
      <Icon of={ChevronRight} small className="disclosure-chevron" />
      <Icon of={isAgent ? Network : Undo2} small />
      <b title={fold.cause === 'agent' ? undefined : SUPERSEDED_MEANING[fold.cause]}>{foldHeadline(fold)}</b>
      {!isOpen && !isAgent && <s dir="auto">{tally.firstLine}</s>}
      {isAgent && (
        <span className="fold-task" dir="auto">
          {tally.firstLine}
        </span>
      )}
      <span className="fold-tally meta">{tallyWords(tally, isAgent)}</span>
    </>
  )
}

function tallyWords({ messages, calls, tokens, cost }: FoldTally, isAgent: boolean): string {
  return [
    formatPlural(messages, 'message'),
    calls > 0 && formatPlural(calls, 'request'),
    tokens > 0 && `${formatTokens(tokens)} tokens`,
    (cost.usd ?? 0) > 0 && `${isAgent ? '' : 'billed '}${formatFineCost(cost)}`,
  ]
    .filter(Boolean)
    .join(', ')
}

interface FoldedWordsProps {
  fold: Fold
  /** The browser's find matched text in this message. */
  onFound: (messageKey: string, offset: number) => void
}

/** Text of a closed fold for the browser's find, rendered once that is opened. */
export function FoldedWords({ fold, onFound }: FoldedWordsProps) {
  const isSought = useSyncExternalStore(pageFind.subscribe, pageFind.get)
  if (!isSought || fold.isOpen) return null
  return fold.messages.map(({ message, offset }) => (
    <FoldedWord key={message.key} message={message} onFound={() => onFound(message.key, offset)} />
  ))
}

function FoldedWord({ message, onFound }: { message: Message; onFound: () => void }) {
  const body = useFindable(false, onFound)
  return (
    <div ref={body}>
      {message.content.map((part, index) => (
        <PartBody key={`${index} ${part.kind}`} id={`${message.key}/part-${index}`} part={part} />
      ))}
      {message.thoughts.map(({ subject, description }, index) => (
        <Markdown key={`${index} ${subject}`} text={`${subject}\n\n${description}`} isSmall />
      ))}
    </div>
  )
}
