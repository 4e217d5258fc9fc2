import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Message, messageSchema } from 'gemini-sessions'
import { expect } from 'vitest'
import type { AgyScript } from '../../../fixtures/antigravity/agy-script.ts'
import {
  type AgyConversationOptions,
  writeAgyConversation,
} from '../../../fixtures/antigravity/write-agy-home.ts'
import { type AntigravitySession, readConversation, readFolderRecords } from '../src/index.ts'

/** Runs with an empty home that is deleted afterwards. */
export async function withHome<Value>(run: (home: string) => Promise<Value>): Promise<Value> {
  const home = mkdtempSync(join(tmpdir(), 'agy-home-'))
  try {
    return await run(home)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** Reads a conversation; every message must be valid in the model, with a unique key. */
export async function readAgySession(home: string, id: string): Promise<AntigravitySession> {
  const reading = await readConversation({ home, id }, readFolderRecords(home))
  if (reading.state !== 'read') throw new Error(`It is ${reading.state}.`)
  const { session } = reading
  for (const message of session.messages) messageSchema.parse(message)
  expect(new Set(session.messages.map(({ key }) => key)).size).toBe(session.messages.length)
  return session
}

export async function writeAndRead(
  script: AgyScript,
  options: AgyConversationOptions = {},
): Promise<AntigravitySession> {
  return withHome(async (home) => {
    writeAgyConversation(home, script, options)
    return readAgySession(home, script.id)
  })
}

/** The visible content of a message, in one line. */
export function lineOf({
  type,
  origin,
  content,
  attachments,
  thoughts,
  toolCalls,
  superseded,
}: Message): string {
  const text = content.map((part) => (part.kind === 'text' ? part.text : `[${part.kind}]`)).join('')
  const calls = toolCalls.map(({ name, status, exitCode, failed, output }) => {
    const shown = 'text' in output ? output.text : output.kind
    return ` ${name}=${status}${exitCode === null ? '' : `/${exitCode}`}${failed ? '!' : ''}:${shown}`
  })
  const thought = thoughts.map(({ subject }) => ` (${subject})`).join('')
  const beside = attachments
    .filter(({ text: beside }) => !beside.startsWith('<'))
    .map((each) => ` +${each.text}`)
  return `${superseded ? `${superseded} ` : ''}${type}/${origin}: ${text}${thought}${calls.join('')}${beside.join('')}`
}
