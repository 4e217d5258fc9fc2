import './injected-entry.css'
import '../../part/part-body.css'
import type { Message } from 'gemini-sessions'
import { Braces, Layers } from 'lucide-react'
import { useContext } from 'react'
import { HitContext } from '../../../../content/text/hit-context.ts'
import { MachineText } from '../../../../content/text/machine-text.tsx'
import { hasHit } from '../../../../content/text/mark-ranges.ts'
import { byteSize } from '../../../../lib/figures/byte-size.ts'
import { formatSize } from '../../../../lib/figures/format.ts'
import { Disclosure } from '../../../../ui/controls/disclosure.tsx'
import { ScrollRegion } from '../../../../ui/frames/scroll-region.tsx'
import { useOpen } from '../../open/open-store.ts'
import { PartBody } from '../../part/part-body.tsx'
import { Entry } from './entry.tsx'
import { injectedName, injectedTexts } from './injected-name.ts'

interface Props {
  message: Message
  isLast: boolean
}

/** What the CLI or a tool wrote in the user's name: one line that says what and how much, the text behind it. */
export function InjectedEntry({ message, isLast }: Props) {
  const terms = useContext(HitContext)
  const texts = injectedTexts(message)
  const isFound = terms.length > 0 && texts.some((text) => hasHit(text, terms))
  const [isOpen, setOpen] = useOpen(`${message.key}/injected`, isFound)
  const size = texts.reduce((total, text) => total + byteSize(text), 0)
  return (
    <Entry voice="cli" icon={message.origin === 'tool-result' ? Braces : Layers} isLast={isLast}>
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
