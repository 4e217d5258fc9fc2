import type { TranscriptQuery } from '@gemini-dash/api'
import { toolLabel } from '@gemini-dash/api/tool-label'
import type { Message, Part, Thought, ToolCall } from 'gemini-sessions'
import type { CutMessage } from './choose-messages.ts'
import { fateWords, resultText, SPEAKERS } from './output-text.ts'
import { codeBlock } from './sound-markdown.ts'

interface Style {
  as: TranscriptQuery['as']
  /** Says who and when: a message that is copied alone needs no heading. */
  hasHead: boolean
}

/** What is chosen of a session as text. `hasHeads`: says who and when; a message that is copied alone needs no heading. */
export async function writeTranscript(
  told: AsyncIterable<CutMessage>,
  { as, hasHeads }: { as: TranscriptQuery['as']; hasHeads: boolean },
): Promise<string> {
  const blocks: string[] = []
  for await (const { message, fate, closing } of told) {
    const text =
      message === null ? '' : messageTranscript({ ...message, superseded: fate }, { as, hasHead: hasHeads })
    if (text !== '') blocks.push(text)
    if (closing !== null) blocks.push(as === 'markdown' ? `**${closing}**` : closing)
  }
  return `${blocks.join('\n\n')}\n`
}

/** All that a message says, thinks and does; '' for one that has nothing of its own. */
function messageTranscript(message: Message, { as, hasHead }: Style): string {
  const isMarkdown = as === 'markdown'
  const blocks = [
    ...message.thoughts.map((thought) => thoughtText(thought, isMarkdown)),
    ...message.content.map((part) => partText(part, isMarkdown)),
    ...message.attachments.map(({ path, text }) =>
      labelled(path === '' ? 'Context' : `Attached: ${path}`, text, isMarkdown),
    ),
    ...message.toolCalls.map((call) => callText(call, isMarkdown)),
  ].filter((block) => block.trim() !== '')
  if (blocks.length === 0) return ''
  return [...(hasHead ? [headText(message, isMarkdown)] : []), ...blocks].join('\n\n')
}

function headText({ origin, timestamp, model, superseded }: Message, isMarkdown: boolean): string {
  const facts = [SPEAKERS[origin], model, timestamp, superseded].filter((fact) => fact !== null)
  return `${isMarkdown ? '## ' : ''}${facts.join(', ')}`
}

function thoughtText({ subject, description }: Thought, isMarkdown: boolean): string {
  if (!isMarkdown) return [`(Thought) ${subject}`.trim(), description].filter(Boolean).join('\n')
  const lines = [`**Thought${subject === '' ? '' : `: ${subject}`}**`, ...description.split('\n')]
  return lines.map((line) => `> ${line}`.trimEnd()).join('\n')
}

function partText(part: Part, isMarkdown: boolean): string {
  switch (part.kind) {
    case 'text':
      return part.text
    case 'code': {
      const code = isMarkdown ? codeBlock(part.code, part.language ?? '') : part.code
      return part.output === null ? code : `${code}\n\n${isMarkdown ? codeBlock(part.output) : part.output}`
    }
    case 'unknown':
      return isMarkdown
        ? codeBlock(JSON.stringify(part.json, null, 2), 'json')
        : JSON.stringify(part.json, null, 2)
    default:
      return `[${part.kind}, ${part.mimeType}${part.uri === null ? '' : `, ${part.uri}`}]`
  }
}

function callText(call: ToolCall, isMarkdown: boolean): string {
  const exit = call.exitCode === null ? '' : `, exit ${call.exitCode}`
  const end = [`${call.failed ? 'failed' : call.status}${exit}`, ...fateWords(call)].join(', ')
  const title = `${toolLabel(call.name)} (${end})`
  const args = JSON.stringify(call.args, null, 2) ?? ''
  const output = resultText(call)
  const language = call.display?.kind === 'diff' ? 'diff' : ''
  const beside = call.extraParts.map((part) => partText(part, isMarkdown))
  if (!isMarkdown) return [title, args, output, ...beside].filter((text) => text !== '').join('\n')
  const blocks = [
    `**${title}**`,
    codeBlock(args, 'json'),
    output === '' ? '' : codeBlock(output, language),
    ...beside,
  ]
  return blocks.filter((text) => text !== '').join('\n\n')
}

function labelled(label: string, text: string, isMarkdown: boolean): string {
  return isMarkdown ? `**${label}**\n\n${codeBlock(text)}` : `${label}\n${text}`
}
