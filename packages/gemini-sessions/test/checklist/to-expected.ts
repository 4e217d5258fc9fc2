import type { z } from 'zod'
import {
  type Message,
  messageText,
  type Session,
  type SessionSummary,
  type TokenUsage,
} from '../../src/index.ts'
import type { ReadHome } from '../read-home.ts'
import { type Expected, expectedSchema } from './expected-schema.ts'
import { toShortOutput, toShortParts, toShortText } from './to-short-output.ts'

type ExpectedSession = Expected['sessions'][number]
type ExpectedMessage = NonNullable<ExpectedSession['messages']>[number]

/** The contents of a home in the form of `expected.json`: paths relative to the home, empty fields left out. */
export function toExpected(about: string, home: string, found: ReadHome): Expected {
  const relative = (path: string) => (path.startsWith(`${home}/`) ? path.slice(home.length + 1) : path)
  const summaryOf = new Map(found.summaries.map((summary) => [summary.key, summary]))
  const sessions = found.sessions.map((session, index) => {
    const summary = found.summaries[index]
    if (summary === undefined) throw new Error(`no row for ${session.sessionId}`)
    const parent = summary.parentKey === null ? undefined : summaryOf.get(summary.parentKey)?.sessionId
    return toSession(session, summary, parent)
  })
  const expected = {
    about,
    projects: found.projects.map(({ name, path, pathSource, folders }) =>
      compact({ name, path, pathSource, folders: folders.map(relative) }),
    ),
    sessions: sessions.sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1)),
    skipped: emptyToNone(found.scan.skipped.map(({ path, code }) => ({ path: relative(path), code }))),
  }
  return expectedSchema.parse(compact(expected) satisfies z.input<typeof expectedSchema>)
}

function orderOf({ startTime, sessionId, files }: ExpectedSession): string {
  return `${startTime}\n${sessionId}\n${files?.[0]?.path ?? ''}`
}

function toSession(session: Session, summary: SessionSummary, parent: string | undefined): ExpectedSession {
  const usage = toFigures(summary.usage)
  return compact({
    sessionId: summary.sessionId,
    kind: summary.kind,
    parent,
    project: summary.project.name,
    title: summary.title === '' ? undefined : summary.title,
    titleSource: summary.titleSource === 'none' ? undefined : summary.titleSource,
    startTime: summary.startTime ?? '',
    endTime: summary.endTime ?? '',
    lastUpdated: summary.lastUpdated ?? '',
    buried: summary.buried ? (true as const) : undefined,
    ended: summary.ended,
    files: emptyToNone(summary.files.map(({ path, role }) => ({ path, role }))),
    segments:
      session.segments.length < 2
        ? undefined
        : session.segments.map(({ reason, file, messages }) => ({ reason, file, messages })),
    models: emptyToNone(Object.fromEntries((summary.models ?? []).map(({ name, calls }) => [name, calls]))),
    counts: toFigures(summary.counts),
    usage,
    liveUsage: unlessEqual(toFigures(summary.liveUsage), usage),
    withSubagents: unlessEqual(toFigures(summary.withSubagents.usage), usage),
    issues: emptyToNone(countBy(session.issues.map(({ code }) => code))),
    unknownNames: emptyToNone(session.drift.map(({ where, name }) => `${where}: ${name}`)),
    messages: emptyToNone(session.messages.map(toMessage)),
  })
}

function toMessage(message: Message): ExpectedMessage {
  const { id, key, type, origin, timestamp, model, superseded, copyOf, agentKey } = message
  return compact({
    id,
    key: key === id ? undefined : key,
    type,
    origin,
    time: timestamp,
    model,
    superseded,
    copyOf,
    agent: agentKey,
    text: emptyToNone(toShortText(messageText(message))),
    parts: emptyToNone(toShortParts(message.content.filter(({ kind }) => kind !== 'text'))),
    attachments: emptyToNone(
      message.attachments.map(({ path, text }) => ({ path, text: toShortText(text) })),
    ),
    thoughts: emptyToNone(
      message.thoughts.map(({ subject, description }) => ({
        subject,
        description: toShortText(description),
      })),
    ),
    toolCalls: emptyToNone(message.toolCalls.map(toCall)),
    usage: emptyToNone(toFigures(withoutCalls(message.usage))),
  })
}

function toCall(call: Message['toolCalls'][number]) {
  const { id, name, status, failed, exitCode, description, args, output, display, extraParts, agentId } = call
  return compact({
    id,
    name,
    status,
    failed: failed ? (true as const) : undefined,
    exitCode,
    description: description === null ? null : toShortText(description),
    args: emptyToNone(args),
    output: output.kind === 'empty' ? undefined : toShortOutput(output),
    display: display === null ? undefined : toShortOutput(display),
    extraParts: emptyToNone(toShortParts(extraParts)),
    agentId,
  })
}

function withoutCalls(usage: TokenUsage | null): Partial<TokenUsage> {
  const { calls: _, callsWithoutTokens: __, ...tokens } = usage ?? {}
  return tokens
}

function toFigures(figures: object | null): Record<string, number> {
  return Object.fromEntries(Object.entries(figures ?? {}).filter(([, count]) => count !== 0))
}

function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of [...names].sort()) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

function unlessEqual(figures: Record<string, number>, usual: Record<string, number>) {
  return JSON.stringify(figures) === JSON.stringify(usual) ? undefined : figures
}

function emptyToNone<T>(value: T): T | undefined {
  if (value === '' || value === null) return undefined
  return typeof value === 'object' && Object.keys(value as object).length === 0 ? undefined : value
}

/** Removes fields that are null or undefined. */
function compact<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], null> } {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(kept) as { [K in keyof T]: Exclude<T[K], null> }
}
