import './injected-entry.css'
import '../../part/part-body.css'
import type { Message } from 'gemini-sessions'
import { Braces, Layers } from 'lucide-react'
import { useContext } from 'react'
import { HitContext } from '../../../../content/text/hit-context.ts'
import { MachineText } from '../../../../content/text/machine-text.tsx'
import { hasHit } from '../../../../content/text/mark-ranges.ts'
import { formatSize } from '../../../../lib/figures/format.ts'
import { Disclosure } from '../../../../ui/controls/disclosure.tsx'
import { ScrollRegion } from '../../../../ui/frames/scroll-region.tsx'
import { useOpen } from '../../open/open-store.ts'
import { PartBody } from '../../part/part-body.tsx'
import { Entry } from './entry.tsx'

const NAMES: [pattern: RegExp, name: string][] = [
  [/<session_context>|This is the Gemini CLI\. We are setting up the context/, 'Session context'],
  [/<hook_context>/, 'Context from a hook'],
  [/<state_snapshot>|<compressed_chat_history>/, 'Summary of the conversation so far'],
  [/^\[SYSTEM\]|<system[-_]reminder>|^System:/i, 'Note from the CLI'],
]

interface Props {
  message: Message
  isLast: boolean
  labelId: string
}

/** What the CLI or a tool wrote in the user's name: one line that says what and how much, the text behind it. */
export function InjectedEntry({ message, isLast, labelId }: Props) {
  const terms = useContext(HitContext)
  const texts = injectedTexts(message)
  const isFound = terms.length > 0 && texts.some((text) => hasHit(text, terms))
  const [isOpen, setOpen] = useOpen(`${message.key}/injected`, isFound)
  const size = new Blob(texts).size
  return (
    <Entry voice="cli" icon={message.origin === 'tool-result' ? Braces : Layers} isLast={isLast}>
      <Disclosure
        isOpen={isOpen}
        onToggle={setOpen}
        headClassName="injected-head"
        head={
          <>
            <b id={labelId}>{injectedName(message, texts)}</b>
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

function injectedTexts(message: Message): string[] {
  const parts = message.content.flatMap((part) => (part.kind === 'text' ? [part.text] : []))
  return [...parts, ...message.attachments.map((attachment) => attachment.text)]
}

/** What an injected text is, told by how it begins. */
function injectedName(message: Pick<Message, 'origin' | 'agentKey'>, texts: readonly string[]): string {
  const head = texts.join('\n').slice(0, 2_000)
  const known = NAMES.find(([pattern]) => pattern.test(head))
  if (known !== undefined) return known[1]
  if (message.origin === 'tool-result') return 'Result of a tool'
  return message.agentKey === null ? 'Added by the CLI' : 'Task of the sub-agent'
}
