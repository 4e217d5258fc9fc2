import type { Message } from '../../model/message.ts'
import type { NeighbourFile, PastedImage } from '../../model/neighbours.ts'
import { messageText } from '../messages/message-text.ts'

/** `@…/images/clipboard-<ms>.png`; in later prompts blanks in the path stand behind a backslash. */
const PASTED = /@(?:"[^"\n]*|(?:\\ |[^\s"])*)[/\\]images[/\\](clipboard-[\w.-]*\w)/g

/** Which prompts name a picture from the clipboard. Where the record holds the picture itself, that one is shown. */
export function linkPastedImages(
  messages: readonly Message[],
  files: readonly NeighbourFile[],
): PastedImage[] {
  const byName = new Map(files.map((file) => [file.path.slice(file.path.lastIndexOf('/') + 1), file]))
  return messages.filter(isPrompt).flatMap((message) => {
    const names = new Set([...messageText(message).matchAll(PASTED)].map(([, name]) => name ?? ''))
    const recorded = message.content.filter((part) => part.kind === 'image').length
    if (recorded >= names.size) return []
    return [...names].map((name) => ({
      name,
      messageKey: message.key,
      file: byName.get(name) ?? null,
    }))
  })
}

function isPrompt({ origin, copyOf }: Message): boolean {
  return origin === 'human' && copyOf === null
}
