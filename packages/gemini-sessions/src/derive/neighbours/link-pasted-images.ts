import type { Message } from '../../model/message.ts'
import type { NeighbourFile, PastedImage } from '../../model/neighbours.ts'
import { messageText } from '../message-text.ts'

/** `@…/images/clipboard-<ms>.png`; in later prompts blanks in the path stand behind a backslash. */
const PASTED = /@(?:"[^"\n]*|(?:\\ |[^\s"])*)[/\\]images[/\\](clipboard-[\w.-]*\w)/g

/** Which prompts name a picture from the clipboard. Where the record holds the picture itself, that one is shown. */
export function linkPastedImages(
  messages: readonly Message[],
  files: readonly NeighbourFile[],
): PastedImage[] {
  const byName = new Map(files.map((file) => [file.path.slice(file.path.lastIndexOf('/') + 1), file]))
  return messages.filter(isWithoutPicture).flatMap((message) => {
    const names = [...messageText(message).matchAll(PASTED)].map(([, name]) => name ?? '')
    return [...new Set(names)].map((name) => ({
      name,
      messageKey: message.key,
      file: byName.get(name) ?? null,
    }))
  })
}

function isWithoutPicture({ origin, copyOf, content }: Message): boolean {
  return origin === 'human' && copyOf === null && !content.some((part) => part.kind === 'image')
}
