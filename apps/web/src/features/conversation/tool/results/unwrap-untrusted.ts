/** What came from outside the model stands in such a frame since 0.61. */
const FRAME = /^\s*<untrusted_context>\r?\n?([\s\S]*?)\r?\n?(?:<\/untrusted_context>\s*)?$/

/** The text inside the frame, also where its end was cut off; other texts as they are. */
export function unwrapUntrusted(text: string): string {
  return FRAME.exec(text)?.[1] ?? text
}
