import type { MessagePage, SessionDetail, SessionMap } from '@gemini-dash/api'
import { questionPath, sessionPath } from '@gemini-dash/api/paths'

/** Sessions of the demo home. */
export const ROUNDING = '3e7a7b68-baf0-4b05-8f68-831b75a33ca5'
/** 400 messages. */
export const LONG = '5c0ffee5-4a7b-4e2c-9d10-40a7ba5e1234'

export const askDetail = (ref: string) => ask<SessionDetail>(questionPath('sessions/:key', { key: ref }))
export const askMap = (ref: string) => ask<SessionMap>(sessionPath('map', ref))
export const askMessages = async (ref: string, query = {}) =>
  (await ask<MessagePage>(sessionPath('messages', ref, query))).messages

export async function messageAt(ref: string, offset: number) {
  const [message] = await askMessages(ref, { offset, limit: 1 })
  if (message === undefined) throw new Error(`${ref} has no message ${offset}`)
  return message
}

/** The program's own answers, to compare the page with. */
async function ask<Answer>(path: string): Promise<Answer> {
  const response = await fetch(path)
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  return response.json()
}
