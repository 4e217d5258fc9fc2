import type { Message } from 'gemini-sessions'
import { useSyncExternalStore } from 'react'
import { Markdown } from '../../../content/markdown/markdown.tsx'
import { pageFind } from '../../../lib/browser/page-find.ts'
import { useFindable } from '../../../ui/controls/use-findable.ts'
import { PartBody } from '../part/part-body.tsx'
import type { Fold } from '../rows/row.ts'

interface Props {
  fold: Fold
  /** The browser's own find met something in this message. */
  onFound: (messageKey: string, offset: number) => void
}

/** What the messages of a closed fold say, built once the browser's own find is called. */
export function FoldedWords({ fold, onFound }: Props) {
  const isSought = useSyncExternalStore(pageFind.subscribe, pageFind.get)
  if (!isSought || fold.isOpen) return null
  return fold.messages.map(({ message, offset }) => (
    <Words key={message.key} message={message} onFound={() => onFound(message.key, offset)} />
  ))
}

function Words({ message, onFound }: { message: Message; onFound: () => void }) {
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
