import type { Message } from '../../../model/message.ts'
import { isRawObject } from '../../../raw/raw-object.ts'
import { flattenContent, plainText } from '../parts/plain-text.ts'
import { splitContext } from './split-context.ts'
import { splitExpansion } from './split-expansion.ts'

type Attachments = Message['attachments']

interface SplitPrompt {
  /** Stored parts of what the person said. */
  said: unknown[]
  attachments: Attachments
}

/**
 * Parts what a person typed from what the CLI put around it: injected context, expanded `@file`s, and the
 * long form of a custom command (then `displayContent`, 0.28+, holds what was typed).
 */
export function splitPrompt(content: unknown, displayContent: unknown): SplitPrompt {
  const attachments: Attachments = []
  let said: unknown[] = []
  for (const part of flattenContent(content)) {
    if (!isText(part)) said.push(part)
    else {
      const { contexts, rest } = splitContext(part.text)
      for (const text of contexts) attachments.push({ path: '', text })
      // Blanks that stood between a context and the prompt are nobody's text.
      if (contexts.length === 0) said.push(part)
      else if (rest.trim() !== '') said.push({ text: rest.trimStart() })
    }
  }
  const expansion = splitExpansion(said)
  said = expansion.said
  for (const attachment of expansion.attachments) attachments.push(attachment)
  const typed = flattenContent(displayContent)
  const typedText = plainText(displayContent)
  if (typedText.trim() === '') return { said, attachments }
  const sentText = plainText(said)
  if (sentText.trim() !== '' && sentText.trim() !== typedText.trim()) {
    attachments.push({ path: '', text: sentText })
  }
  return { said: [...typed, ...said.filter((part) => !isText(part))], attachments }
}

function isText(part: unknown): part is { text: string } {
  return isRawObject(part) && typeof part.text === 'string' && part.thought !== true
}
