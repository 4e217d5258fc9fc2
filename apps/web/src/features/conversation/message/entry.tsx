import { modelVoice } from '@gemini-dash/api/source-names'
import './message.css'
import '../conversation.css'
import type { Message, PastedImage, Thought, Turn } from 'gemini-sessions'
import {
  Braces,
  Diamond,
  ImageOff,
  Layers,
  Lightbulb,
  type LucideIcon,
  Paperclip,
  UserRound,
  Wrench,
} from 'lucide-react'
import { type ReactNode, useContext } from 'react'
import { CodeLines } from '../../../content/code-block.tsx'
import { languageOfPath } from '../../../content/highlight.ts'
import { HitContext, hasHit, MachineText } from '../../../content/machine-text.tsx'
import { Markdown } from '../../../content/markdown.tsx'
import { NeighbourContext, neighbourHref, StoredImage } from '../../../content/stored-files.tsx'
import { SupersededWord } from '../../../content/superseded-word.tsx'
import { classNames } from '../../../lib/browser.ts'
import { formatClock } from '../../../lib/dates.ts'
import { byteSize, formatDuration, formatPlural, formatSize } from '../../../lib/figures.ts'
import { messageAnchor } from '../../../lib/session-words.ts'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { TimeText } from '../../../ui/figures.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { ScrollRegion } from '../../../ui/scroll-region.tsx'
import { useOpen } from '../open-store.ts'
import { PartBody, PartLink } from '../part-body.tsx'
import type { RunPlace } from '../row.ts'
import { ToolRack } from '../tool/tool.tsx'
import { toolArgument, toolTitle } from '../tool/tool-argument.ts'
import { MessageMargin } from './margin.tsx'

interface Props {
  message: Message
  isLast: boolean
  isPending: boolean
  run: RunPlace | null
}

/** A model message: thoughts, text, tool calls. Figures are shown beside the tool calls, else beside the text. */
export function ModelEntries({ message, isLast, isPending, run }: Props) {
  const hasThoughts = message.thoughts.length > 0
  const hasText = message.content.some((part) => part.kind !== 'text' || part.text.trim() !== '')
  const hasCalls = message.toolCalls.length > 0
  const isSilent = !hasThoughts && !hasText && !hasCalls
  const margin = <MessageMargin message={message} run={run} />
  return (
    <>
      {hasThoughts && (
        <ThoughtEntry
          message={message}
          isLast={isLast && !hasText && !hasCalls}
          margin={!hasText && !hasCalls && margin}
        />
      )}
      {(hasText || isSilent) && (
        <Entry voice="model" icon={Diamond} isLast={isLast && !hasCalls} margin={!hasCalls && margin}>
          <VoiceLine message={message} />
          {isSilent && <p className="dim">No answer was recorded.</p>}
          {message.content.map((part, index) => (
            <PartBody key={`${index} ${part.kind}`} id={`${message.key}/part-${index}`} part={part} />
          ))}
        </Entry>
      )}
      {hasCalls && (
        <Entry voice="tool" icon={Wrench} isLast={isLast} margin={margin}>
          <ToolRack messageKey={message.key} calls={message.toolCalls} isPending={isPending} />
        </Entry>
      )}
    </>
  )
}

interface ThoughtEntryProps {
  message: Message
  isLast: boolean
  margin: ReactNode
}

/** Thoughts collapsed to one line: the first subject and the count. */
function ThoughtEntry({ message, isLast, margin }: ThoughtEntryProps) {
  const { thoughts } = message
  const terms = useContext(HitContext)
  const isFound =
    terms.length > 0 && thoughts.some((thought) => hasHit(`${thought.subject} ${thought.description}`, terms))
  const [isOpen, setOpen] = useOpen(`${message.key}/thoughts`, isFound)
  const subject = thoughts.find((thought) => thought.subject !== '')?.subject ?? ''
  return (
    <Entry voice="thought" icon={Lightbulb} isLast={isLast} margin={margin}>
      <Disclosure
        isOpen={isOpen}
        onToggle={setOpen}
        headClassName="thought-head"
        head={
          <>
            <b>Thinking</b>
            {!isOpen && (
              <span className="thought-subject one-line" dir="auto">
                <MachineText text={subject} />
              </span>
            )}
            {thoughts.length > 1 && (
              <span className="thought-size meta">{formatPlural(thoughts.length, 'thought')}</span>
            )}
          </>
        }
      >
        {() => (
          <ul className="thought-list">
            {thoughts.map((thought, index) => (
              <ThoughtItem
                key={`${index} ${thought.subject}`}
                messageKey={message.key}
                index={index}
                thought={thought}
                previousTime={thoughts[index - 1]?.timestamp ?? null}
                isAlone={thoughts.length === 1}
              />
            ))}
          </ul>
        )}
      </Disclosure>
    </Entry>
  )
}

interface ItemProps {
  messageKey: string
  index: number
  thought: Thought
  previousTime: string | null
  isAlone: boolean
}

/** If there are several, each has its own fold. */
function ThoughtItem({ messageKey, index, thought, previousTime, isAlone }: ItemProps) {
  const part = `thought-${index}`
  const [isOpen, setOpen] = useOpen(`${messageKey}/${part}`, true)
  const words = <ThoughtWords thought={thought} previousTime={previousTime} />
  return (
    <li id={messageAnchor(messageKey, part)} className="has-part-link">
      <PartLink messageKey={messageKey} part={part} what="thought" />
      {isAlone ? (
        <>
          {thought.subject !== '' && (
            <h3 dir="auto">
              <MachineText text={thought.subject} />
            </h3>
          )}
          {words}
        </>
      ) : (
        <Disclosure
          isOpen={isOpen}
          onToggle={setOpen}
          headClassName="one-thought-head"
          bodyClassName="one-thought"
          head={
            <b dir="auto">
              <MachineText text={thought.subject || `Thought ${index + 1}`} />
            </b>
          }
        >
          {() => words}
        </Disclosure>
      )}
    </li>
  )
}

function ThoughtWords({ thought, previousTime }: { thought: Thought; previousTime: string | null }) {
  const { description, timestamp } = thought
  const afterMs =
    timestamp !== null && previousTime !== null ? Date.parse(timestamp) - Date.parse(previousTime) : 0
  return (
    <>
      <Markdown text={description} isSmall />
      {timestamp !== null && (
        <p className="dim thought-time">
          <TimeText time={timestamp}>{formatClock(timestamp, 'seconds')}</TimeText>
          {afterMs >= 100 && `, ${formatDuration(afterMs)} after the previous one`}
        </p>
      )}
    </>
  )
}

type Voice = 'user' | 'model' | 'thought' | 'tool' | 'cli'

interface VoiceProps {
  voice: Voice
  icon: LucideIcon
  /** The vertical line ends here. */
  isLast: boolean
  margin?: ReactNode
  children: ReactNode
}

/** One entry: the vertical line with the speaker's icon, the body, figures in the margin. */
export function Entry({ voice, icon, isLast, margin, children }: VoiceProps) {
  return (
    <div
      className={classNames('entry', voice, isLast && 'last')}
      data-voice={voice === 'thought' || voice === 'tool' ? voice : undefined}
    >
      <div className="entry-spine">
        <Icon of={icon} />
      </div>
      <div className="entry-body">{children}</div>
      <div className="entry-margin">{margin}</div>
    </div>
  )
}

/** The speaker, run in with the first words as in a script, and what became of the message. */
export function VoiceLine({ message, name = voiceName(message) }: { message: Message; name?: string }) {
  return (
    <div className="voice-line">
      <h3 className="voice-name" aria-label={name === voiceName(message) ? messageName(message) : undefined}>
        {name}
      </h3>{' '}
      {message.superseded !== null && (
        <SupersededWord cause={message.superseded} className="superseded-word" />
      )}
      {message.copyOf !== null && <span className="dim">{copyWords(message)}</span>}
    </div>
  )
}

/** A document may contain a message several times; other copies have their own ids. */
function copyWords({ id, copyOf }: Message): string {
  const isRecordedAgain = id !== '' && (copyOf === id || copyOf?.startsWith(`${id}~`) === true)
  return isRecordedAgain ? 'recorded more than once' : 'From an earlier session'
}

const MOST_LETTERS = 80
/** Enough characters to contain the first words even with markup. */
const HEAD_LETTERS = 500
const NOTICES: Record<string, string> = { info: 'Notice', warning: 'Warning', error: 'Error' }

/** Name of the speaker. */
function voiceName(message: Message): string {
  if (message.type === 'gemini') return message.agentKey === null ? modelVoice(message) : 'Sub-agent'
  if (message.type === 'unknown') return 'Message of unknown type'
  if (message.type !== 'user') return NOTICES[message.type] ?? 'Notice'
  return message.origin === 'human' ? 'You' : injectedName(message, injectedTexts(message))
}

/** Accessible name of a message: the speaker and the first words, so that no two answers sound alike. */
export function messageName(message: Message): string {
  const words = beginning(textOf(message)) || silentName(message)
  return words === '' ? voiceName(message) : `${voiceName(message)}: ${words}`
}

function textOf({ content }: Message): string {
  return content.map((part) => (part.kind === 'text' ? part.text.slice(0, HEAD_LETTERS) : '')).join(' ')
}

/** For a model message without text: its tool calls, else its thoughts. */
function silentName({ toolCalls, thoughts }: Message): string {
  const [call] = toolCalls
  if (call !== undefined) {
    const more = toolCalls.length > 1 ? `, ${toolCalls.length - 1} more` : ''
    return `${beginning(`${toolTitle(call)} ${toolArgument(call, null)}`)}${more}`
  }
  const subject = thoughts.find((thought) => thought.subject !== '')?.subject
  return subject === undefined ? '' : `thinks, ${beginning(subject)}`
}

/** The first words in one line, without Markdown syntax. */
function beginning(text: string): string {
  const line = text
    .slice(0, HEAD_LETTERS)
    .replace(/[#>*`~]+|(?<!\w)_+|_+(?!\w)/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  if (line.length <= MOST_LETTERS) return line
  const words = line.slice(0, MOST_LETTERS + 1).replace(/\s\S*$/, '')
  return `${words.slice(0, MOST_LETTERS)} …`
}

const NAMES: [pattern: RegExp, name: string][] = [
  [/<session_context>|This is the Gemini CLI\. We are setting up the context/, 'Session context'],
  [/<hook_context>/, 'Context from a hook'],
  [/<state_snapshot>|<compressed_chat_history>/, 'Summary of the conversation so far'],
  [/^\[SYSTEM\]|<system[-_]reminder>|^System:/i, 'Note from Gemini CLI'],
]

function injectedTexts(message: Message): string[] {
  const parts = message.content.flatMap((part) => (part.kind === 'text' ? [part.text] : []))
  return [...parts, ...message.attachments.map((attachment) => attachment.text)]
}

/** Kind of an injected text, recognized by how it starts. */
function injectedName(message: Pick<Message, 'origin' | 'agentKey'>, texts: readonly string[]): string {
  const head = texts.join('\n').slice(0, 2_000)
  const known = NAMES.find(([pattern]) => pattern.test(head))
  if (known !== undefined) return known[1]
  if (message.origin === 'tool-result') return 'Result of a tool'
  return message.agentKey === null ? 'Added by Gemini CLI' : 'Task of the sub-agent'
}

interface InjectedEntryProps {
  message: Message
  isLast: boolean
}

/** Text that the CLI or a tool wrote as the user: one line with its kind and size; opens to the full text. */
export function InjectedEntry({ message, isLast }: InjectedEntryProps) {
  const terms = useContext(HitContext)
  const texts = injectedTexts(message)
  const isFound = terms.length > 0 && texts.some((text) => hasHit(text, terms))
  const [isOpen, setOpen] = useOpen(`${message.key}/injected`, isFound)
  const size = texts.reduce((total, text) => total + byteSize(text), 0)
  return (
    <Entry
      voice="cli"
      icon={message.origin === 'tool-result' ? Braces : Layers}
      isLast={isLast}
      margin={<MessageMargin message={message} />}
    >
      <Disclosure
        isOpen={isOpen}
        onToggle={setOpen}
        headClassName="injected-head"
        head={
          <>
            <b>{injectedName(message, texts)}</b>
            {size > 0 && <span className="dim">{formatSize(size)}</span>}
          </>
        }
      >
        {() => (
          <div className="injected-body">
            {message.content.map((part, index) =>
              part.kind === 'text' ? (
                <PlainText key={`${index} ${part.kind}`} text={part.text} />
              ) : (
                <PartBody key={`${index} ${part.kind}`} id={`${message.key}/part-${index}`} part={part} />
              ),
            )}
            {message.attachments.map((attachment, index) => (
              <PlainText key={`${index} ${attachment.path}`} text={attachment.text} />
            ))}
          </div>
        )}
      </Disclosure>
    </Entry>
  )
}

function PlainText({ text }: { text: string }) {
  return (
    <ScrollRegion label="Text" className="plain-text">
      <pre dir="auto">
        <MachineText text={text} />
      </pre>
    </ScrollRegion>
  )
}

/** A prompt typed by a person, on a plate; attached files are folded below it. */
export function PromptEntry(props: { message: Message; isLast: boolean; turn: Turn | null }) {
  const { message, isLast, turn } = props
  return (
    <Entry
      voice="user"
      icon={UserRound}
      isLast={isLast}
      margin={<MessageMargin message={message} turn={turn} />}
    >
      <div className="prompt-plate">
        <VoiceLine message={message} />
        {message.content.map((part, index) => (
          <PartBody key={`${index} ${part.kind}`} id={`${message.key}/part-${index}`} part={part} />
        ))}
        {message.content.length === 0 && <p className="dim">No text was recorded.</p>}
        <PastedImages messageKey={message.key} />
        {message.attachments.length > 0 && <Attachments message={message} />}
      </div>
    </Entry>
  )
}

const NAMED = 4

function Attachments({ message }: { message: Message }) {
  const { attachments } = message
  const [isOpen, setOpen] = useOpen(`${message.key}/attachments`)
  const names = attachments.map((attachment) => attachment.path).filter((path) => path !== '')
  const isFiles = names.length === attachments.length
  const size = attachments.reduce((sum, { text, cut }) => sum + (cut?.sizeBytes ?? text.length), 0)
  return (
    <div className="attachments">
      <Disclosure
        isOpen={isOpen}
        onToggle={setOpen}
        head={
          <>
            <Icon of={Paperclip} small />
            <b>
              {isFiles
                ? formatPlural(attachments.length, 'attached file')
                : formatPlural(attachments.length, 'attachment')}
            </b>
            {names.slice(0, NAMED).map((name) => (
              <span key={name} className="mono attachment-name" dir="ltr">
                <MachineText text={name} />
              </span>
            ))}
            {names.length > NAMED && <span className="dim">and {names.length - NAMED} more</span>}
            {/* a redacted export has only the names */}
            {size > 0 && <span className="dim">{formatSize(size)}</span>}
          </>
        }
      >
        {() =>
          attachments.map((attachment, index) => (
            <Attachment key={`${index} ${attachment.path}`} attachment={attachment} />
          ))
        }
      </Disclosure>
    </div>
  )
}

function Attachment({ attachment }: { attachment: Message['attachments'][number] }) {
  const { path, text, cut } = attachment
  return (
    <div className="code-block">
      <header>
        <span className="mono" dir="ltr">
          <MachineText text={path || 'Added by Gemini CLI'} />
        </span>
        {text !== '' && <span>{formatSize(cut?.sizeBytes ?? text.length)}</span>}
        {cut !== undefined && <span>the first {formatSize(text.length)} are shown</span>}
      </header>
      {text !== '' && (
        <CodeLines
          code={text}
          language={languageOfPath(path)}
          firstLine={1}
          label={path || 'Attached text'}
        />
      )}
    </div>
  )
}

/** Clipboard images in a prompt; the CLI stores them beside its sessions. */
function PastedImages({ messageKey }: { messageKey: string }) {
  const { images } = useContext(NeighbourContext)
  const own = images.filter((image) => image.messageKey === messageKey)
  if (own.length === 0) return null
  return (
    <div className="pasted-images">
      {own.map((image) => (
        <Pasted key={image.name} image={image} />
      ))}
    </div>
  )
}

function Pasted({ image: { name, file, pixelSize } }: { image: PastedImage }) {
  const { sessionRef } = useContext(NeighbourContext)
  if (file === null) {
    return (
      <p className="pasted-gone label">
        <Icon of={ImageOff} small />
        <span>
          The picture{' '}
          <span className="mono" dir="ltr">
            <MachineText text={name} />
          </span>{' '}
          was pasted here and is no longer there.
        </span>
      </p>
    )
  }
  return (
    <StoredImage
      mimeType={mimeTypeOf(name)}
      href={neighbourHref(sessionRef, file)}
      sizeBytes={file.sizeBytes}
      pixelSize={pixelSize}
      alt={`Pasted picture ${name}`}
    />
  )
}

/** From the file name, for the caption; the server checks the bytes. */
function mimeTypeOf(name: string): string {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return `image/${extension === 'jpg' ? 'jpeg' : extension}`
}
