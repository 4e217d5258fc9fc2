import type { Message, Part, ToolOutput } from 'gemini-sessions'

/** A picture as a file of its own: its name is made of its message and its place in it. */
export interface PictureFile {
  name: string
  messageKey: string
  data: string
}

const ENDINGS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
}

type Held = Part | ToolOutput

/** The pictures that a message holds, in the order in which they are written. */
export function picturesOf(message: Message): PictureFile[] {
  const found: PictureFile[] = []
  mapPictures(message, (name, data) => {
    found.push({ name, messageKey: message.key, data })
    return null
  })
  return found
}

/** The message with the place of each picture's file, as seen from the file that it is written into. */
export function withPictureFiles(message: Message, folder: string): Message {
  return mapPictures(message, (name) => `${folder}/${name}`)
}

/** `placeOf`: what is put in as the address of a picture. */
function mapPictures(message: Message, placeOf: (name: string, data: string) => string | null): Message {
  const key = message.key.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 80)
  const place = <Each extends Held>(part: Each, at: string): Each => {
    if (part.kind !== 'image' || part.data === null) return part
    const ending = ENDINGS[part.mimeType]
    if (ending === undefined) return part
    const href = placeOf(`${key}-${at}.${ending}`, part.data)
    return href === null ? part : { ...part, href }
  }
  return {
    ...message,
    content: message.content.map((part, index) => place(part, `${index}`)),
    toolCalls: message.toolCalls.map((call, index) => ({
      ...call,
      output: place(call.output, `call-${index}`),
      extraParts: call.extraParts.map((part, extra) => place(part, `call-${index}-${extra}`)),
    })),
  }
}
