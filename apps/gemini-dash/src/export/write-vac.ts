import type { Message, Part, ToolCall, ToolOutput } from 'gemini-sessions'
import type { CutMessage } from './choose-messages.ts'
import type { ExportHead, Writer } from './writer.ts'

/** The record's version is that of the draft; what is ours in it has this prefix. */
const VERSION = '0.0.1'
const OWN = 'gemini-dash-'

/**
 * A record of the IETF's draft on verifiable conversations with agents. Nothing of the model is dropped: what the draft has no
 * field for stands in fields of ours (docs/decisions/export.md lists them).
 */
export const vacWriter: Writer = {
  head: (of) => {
    const record = { ...recordOf(of), session: sessionOf(of) }
    // `entries` is the last field of the session, and the session of the record
    return `${JSON.stringify(record).slice(0, -2)},"entries":[\n${JSON.stringify(beginning(of))}`
  },
  message: ({ message, fate, closing }) => {
    const entries = message === null ? [] : [entryOf(message, fate)]
    if (closing !== null) entries.push(event('turn-failed', { text: closing }))
    return entries.map((entry) => `,\n${JSON.stringify(entry)}`).join('')
  },
  tail: (of) => `${subagentEvents(of)}\n]}}\n`,
}

type Entry = Record<string, unknown>

function recordOf({ session, version, fileHashes, isRedacted, depth }: ExportHead): Entry {
  return {
    version: VERSION,
    id: session.key,
    ...(session.startTime !== null && { created: session.startTime }),
    'recording-agent': { name: 'gemini-dash', version },
    [`${OWN}title`]: session.title,
    [`${OWN}depth`]: depth,
    [`${OWN}redacted`]: isRedacted,
    [`${OWN}files`]: session.files.map((file, index) => ({
      ...file,
      ...(fileHashes[index] !== undefined && { sha256: fileHashes[index] }),
    })),
  }
}

function sessionOf({ session }: ExportHead): Entry {
  const { sessionId, startTime, lastUpdated, endTime, project, models, usage, cost } = session
  const names = models?.map(({ name }) => name) ?? []
  const end = lastUpdated ?? endTime
  return {
    format: 'interactive',
    'session-id': sessionId,
    ...(startTime !== null && { 'session-start': startTime }),
    ...(end !== null && { 'session-end': end }),
    'agent-meta': {
      'model-id': names[0] ?? 'unknown',
      'model-provider': 'google',
      models: names,
      'cli-name': 'gemini-cli',
    },
    ...(project.path !== null && {
      environment: { 'working-dir': project.path, [`${OWN}project`]: project },
    }),
    [`${OWN}usage`]: usage,
    [`${OWN}cost`]: cost,
    [`${OWN}kind`]: session.kind,
    [`${OWN}parent`]: session.parentKey,
  }
}

function entryOf(message: Message, fate: CutMessage['fate']): Entry {
  const { type, origin, id, key, timestamp, model, usage, cost, attachments, superseded } = message
  const own = {
    ...timeOf(timestamp),
    id: key,
    ...(id !== key && { [`${OWN}recorded-id`]: id }),
    [`${OWN}origin`]: origin,
    [`${OWN}source`]: message.source,
    [`${OWN}segment`]: message.segment,
    ...(superseded !== null && { [`${OWN}superseded`]: superseded, [`${OWN}fate`]: fate }),
    ...(message.copyOf !== null && { [`${OWN}copy-of`]: message.copyOf }),
    ...(message.agentKey !== null && { [`${OWN}agent`]: message.agentKey }),
    ...(attachments.length > 0 && { [`${OWN}attachments`]: attachments }),
  }
  const content = contentOf(message.content)
  if (type !== 'user' && type !== 'gemini') {
    return { type: 'system-event', 'event-type': type, data: { content }, ...own }
  }
  const children = [...reasoningOf(message), ...message.toolCalls.flatMap(callEntries)]
  return {
    type: type === 'user' ? 'user' : 'assistant',
    content,
    ...own,
    ...(model !== null && { 'model-id': model }),
    ...(usage !== null && {
      'token-usage': {
        input: usage.input,
        output: usage.output,
        cached: usage.cached,
        reasoning: usage.thoughts,
        total: usage.total,
        ...(cost?.usd != null && { cost: cost.usd }),
        [`${OWN}tool`]: usage.tool,
      },
    }),
    ...(children.length > 0 && { children }),
  }
}

/** A text alone is a text. */
function contentOf(parts: readonly Part[]): unknown {
  const [first] = parts
  return parts.length === 1 && first?.kind === 'text' ? first.text : parts
}

function reasoningOf({ thoughts }: Message): Entry[] {
  return thoughts.map(({ subject, description, timestamp }) => ({
    type: 'reasoning',
    content: description,
    ...(subject !== '' && { subject }),
    ...timeOf(timestamp),
  }))
}

/** What a call was given, and what it gave, where it gave anything. A sub-agent in a file of its own is named by its key. */
function callEntries(call: ToolCall): Entry[] {
  const { id, name, args, timestamp, output, status, failed } = call
  const shared = { ...(id !== '' && { 'call-id': id }), ...timeOf(timestamp) }
  const given: Entry = {
    type: 'tool-call',
    name,
    input: args ?? null,
    ...shared,
    ...(call.displayName !== null && { [`${OWN}display-name`]: call.displayName }),
    ...(call.description !== null && { [`${OWN}description`]: call.description }),
    ...(call.agentId !== null && { [`${OWN}agent-id`]: call.agentId }),
    ...(call.agentKey !== null && { [`${OWN}agent`]: call.agentKey }),
  }
  const gave: Entry = {
    type: 'tool-result',
    output: plainOutput(output),
    ...shared,
    status,
    'is-error': failed,
    ...(call.display !== null && { [`${OWN}display`]: call.display }),
    ...(call.extraParts.length > 0 && { [`${OWN}extra-parts`]: call.extraParts }),
    ...(call.exitCode !== null && { [`${OWN}exit-code`]: call.exitCode }),
  }
  return [given, gave]
}

function plainOutput(output: ToolOutput): unknown {
  return output.kind === 'text' ? output.text : output
}

/** Always there; where the conversation went on in another file stands in it. */
function beginning({ segments }: ExportHead): Entry {
  return event('segments', { segments })
}

function subagentEvents({ session }: ExportHead): string {
  return session.subagentKeys
    .map((key) => `,\n${JSON.stringify(event('sub-agent', { session: key }))}`)
    .join('')
}

function event(name: string, data: Entry): Entry {
  return { type: 'system-event', 'event-type': `${OWN}${name}`, data }
}

/** Only what the draft takes for a time. */
function timeOf(timestamp: string | null): Entry {
  return timestamp !== null && !Number.isNaN(Date.parse(timestamp)) ? { timestamp } : {}
}
