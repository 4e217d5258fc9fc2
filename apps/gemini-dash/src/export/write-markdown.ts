import type { LeavingAgent } from '@gemini-dash/api'
import { formatColumnCost, formatCount, formatSize } from '@gemini-dash/api/figures'
import { toolLabel } from '@gemini-dash/api/tool-label'
import { formatZonedTime } from '@gemini-dash/api/zone-clock'
import type { Message, Part, Thought, ToolCall } from 'gemini-sessions'
import type { CutMessage } from './choose-messages.ts'
import { fateWords, resultText, SPEAKERS } from './output-text.ts'
import { codeBlock, plainInMarkdown, soundMarkdown } from './sound-markdown.ts'
import type { ExportHead, Writer } from './writer.ts'

/** As GitHub shows it: thoughts, calls and attached files are folded. */
export const markdownWriter: Writer = {
  head: (of) => `${frontMatter(of)}\n# ${plainInMarkdown(of.session.title) || 'Session'}\n`,
  message: ({ message, fate, closing }, _place, agents, { zone }) =>
    [
      message === null
        ? ''
        : messageBlock(message, { speaker: SPEAKERS[message.origin], fate, agents, zone, level: 2 }),
      closing === null ? '' : `**${plainInMarkdown(closing)}**`,
    ]
      .filter((block) => block !== '')
      .map((block) => `\n${block}\n`)
      .join(''),
  tail: () => '',
}

/** Every value as JSON, which is YAML. Figures include sub-agents, as in lists. */
function frontMatter({ session, depth, isRedacted }: ExportHead): string {
  const { key, sessionId, project, models, startTime, endTime, counts, subagentKeys } = session
  const { usage, cost, toolCalls, failures } = session.withSubagents
  const values: Record<string, unknown> = {
    id: sessionId,
    key,
    project: project.name,
    path: project.path,
    models: models?.map(({ name }) => name) ?? [],
    start: startTime,
    end: endTime,
    messages: counts?.messages ?? null,
    tokens: usage?.total ?? null,
    input_tokens: usage?.input ?? null,
    cached_tokens: usage?.cached ?? null,
    output_tokens: usage?.output ?? null,
    thoughts_tokens: usage?.thoughts ?? null,
    cost_usd: cost?.usd ?? null,
    calls_without_price: cost?.unpricedCalls ?? null,
    tool_calls: toolCalls,
    failed_tool_calls: failures?.tools ?? null,
    refused_requests: failures?.refused ?? null,
    ...(subagentKeys.length > 0 && {
      own_tokens: session.usage?.total ?? null,
      own_cost_usd: session.cost?.usd ?? null,
      own_tool_calls: session.recorded?.toolCalls ?? null,
    }),
    depth,
    redacted: isRedacted,
  }
  const lines = Object.entries(values).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  return ['---', ...lines, '---', ''].join('\n')
}

interface Telling {
  speaker: string
  fate: CutMessage['fate']
  /** The conversations below its calls, by key. */
  agents: ReadonlyMap<string, LeavingAgent>
  /** Whose clocks are shown. */
  zone: string
  /** Of its heading. */
  level: number
}

/** What holds below a message's calls, too. */
type Within = Pick<Telling, 'agents' | 'zone' | 'level'>

/** '' for one that has nothing of its own to tell. */
function messageBlock(message: Message, { speaker, fate, agents, zone, level }: Telling): string {
  const blocks = [
    thoughtsBlock(message.thoughts),
    ...message.content.map(partBlock),
    ...message.attachments.map(attachmentBlock),
    ...message.toolCalls.map((call) => callBlock(call, { agents, zone, level })),
  ].filter((block) => block.trim() !== '')
  if (blocks.length === 0) return ''
  const facts = [
    speaker,
    message.model && plainInMarkdown(message.model),
    message.timestamp && formatZonedTime(message.timestamp, zone),
    fate,
  ].filter((fact) => fact)
  return [`${'#'.repeat(level)} ${facts.join(', ')}`, ...blocks, tokenLine(message)]
    .filter((block) => block !== '')
    .join('\n\n')
}

function tokenLine({ usage, cost }: Message): string {
  if (usage === null) return ''
  const { input, cached, output, thoughts } = usage
  return `<sub>${formatCount(input)} tokens in, ${formatCount(cached)} of it cached, ${formatCount(output)} out, ${formatCount(thoughts)} thoughts, ${formatColumnCost(cost)}</sub>`
}

function thoughtsBlock(thoughts: readonly Thought[]): string {
  if (thoughts.length === 0) return ''
  const subject = thoughts.find((thought) => thought.subject !== '')?.subject ?? ''
  const texts = thoughts.map(({ subject, description }) =>
    [subject === '' ? '' : `**${plainInMarkdown(subject)}**`, soundMarkdown(description)]
      .filter((text) => text !== '')
      .join('\n\n'),
  )
  const count = thoughts.length === 1 ? 'Thought' : `${thoughts.length} thoughts`
  return fold(subject === '' ? count : `${count}: ${subject}`, texts.join('\n\n'))
}

function partBlock(part: Part): string {
  switch (part.kind) {
    case 'text':
      return soundMarkdown(part.text)
    case 'code': {
      const code = codeBlock(part.code, languageWord(part.language ?? ''))
      return part.output === null ? code : `${code}\n\n${codeBlock(part.output)}`
    }
    case 'unknown':
      return codeBlock(JSON.stringify(part.json, null, 2) ?? '', 'json')
    default: {
      // only pictures that are written beside it have an address
      if (part.href !== null) return `![${plainInMarkdown(part.mimeType)}](${part.href})`
      const size = part.sizeBytes === null ? '' : `, ${formatSize(part.sizeBytes)}`
      return `*${part.kind}, ${plainInMarkdown(part.mimeType)}${size}${part.uri === null ? '' : `, ${plainInMarkdown(part.uri)}`}*`
    }
  }
}

function attachmentBlock({ path, text }: Message['attachments'][number]): string {
  const name = path === '' ? 'Added by the CLI' : `Attached: ${path}`
  return text === ''
    ? `*${plainInMarkdown(name)}*`
    : fold(`${name}, ${formatSize(text.length)}`, codeBlock(text))
}

function callBlock(call: ToolCall, within: Within): string {
  const exit = call.exitCode === null ? '' : `, exit ${call.exitCode}`
  const end = [`${call.failed ? 'failed' : call.status}${exit}`, ...fateWords(call)].join(', ')
  const what = call.description ?? ''
  const title = `**${plainInMarkdown(toolLabel(call.name))}** ${plainInMarkdown(what)} (${plainInMarkdown(end)})`
  const args = JSON.stringify(call.args, null, 2) ?? ''
  const result = resultText(call)
  const blocks = [
    title,
    args === '' || args === '{}' ? '' : fold('Arguments', codeBlock(args, 'json')),
    result === ''
      ? ''
      : fold(resultName(result), codeBlock(result, call.display?.kind === 'diff' ? 'diff' : '')),
    call.output.kind === 'image' && call.output.href !== null
      ? `![${plainInMarkdown(call.output.mimeType)}](${call.output.href})`
      : '',
    ...call.extraParts.map(partBlock),
    call.agentKey === null ? '' : agentBlock(call.agentKey, within),
  ]
  return blocks.filter((block) => block !== '').join('\n\n')
}

/** The conversation of a sub-agent, folded in the call that started it; where it does not leave along, where it is. */
function agentBlock(key: string, { agents, zone, level }: Within): string {
  const agent = agents.get(key)
  if (agent === undefined) return `*Its conversation is a session of its own: ${key}*`
  const blocks = agent.messages.map((message, index) =>
    messageBlock(message, {
      speaker: agentSpeaker(message, index === 0),
      fate: message.superseded,
      agents,
      zone,
      level: Math.min(level + 1, DEEPEST_HEADING),
    }),
  )
  const said = blocks.filter((block) => block !== '')
  const count = said.length === 1 ? '1 message' : `${formatCount(said.length)} messages`
  return fold(`Its conversation, ${count}`, said.join('\n\n'))
}

const DEEPEST_HEADING = 6

function agentSpeaker({ type, origin }: Message, isFirst: boolean): string {
  if (type === 'gemini') return 'Sub-agent'
  return isFirst && type === 'user' ? 'Task' : SPEAKERS[origin]
}

function resultName(text: string): string {
  let lines = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < text.length - 1; at = text.indexOf('\n', at + 1))
    lines += 1
  return lines === 1 ? 'Result' : `Result, ${formatCount(lines)} lines`
}

/** The blank lines make GitHub read what stands in it as Markdown. */
function fold(name: string, body: string): string {
  const summary = name.replace(/\s+/g, ' ').replace(/&/g, '&amp;').replace(/</g, '&lt;')
  return `<details>\n<summary>${summary}</summary>\n\n${body}\n\n</details>`
}

function languageWord(language: string): string {
  return /^[\w+#.-]{1,40}$/.test(language) ? language.toLowerCase() : ''
}
