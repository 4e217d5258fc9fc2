import type { Transcript, TranscriptQuery } from '@gemini-dash/api'
import { type RedactOptions, redactText } from '@gemini-dash/redact'
import { type CutMessage, chooseMessages, readChosen } from '../../../export/choose-messages.ts'
import { redactMessage } from '../../../export/redact-message.ts'
import { writeTranscript } from '../../../export/write-transcript.ts'
import type { OpenedSession } from './opened-session.ts'
import { ownOptions } from './session-options.ts'

/** What is copied: a whole session without secrets and names, a part of one as it is. null: there is no such message. */
export async function makeTranscript(
  opened: OpenedSession,
  { as, message, turnOf, redact }: TranscriptQuery,
): Promise<Transcript | null> {
  const { place, messages, outline, shelved } = opened
  const { turns } = outline()
  const chosen = chooseMessages({ messages, turns, isLive: place.isLive === true }, { message, turnOf })
  if (chosen === null) return null
  const isWhole = message === undefined && turnOf === undefined
  const told = readChosen(chosen, 'all', (batch) => shelved.restore(batch))
  const taken = { count: 0 }
  const isRedacted = redact === undefined ? isWhole : redact === 'on'
  const text = await writeTranscript(isRedacted ? redacted(told, await ownOptions(opened), taken) : told, {
    as,
    hasHeads: message === undefined,
  })
  // of a whole session that is printed nobody asks
  const found = isRedacted || isWhole ? [] : redactText(text).changes
  return { text, redacted: taken.count, secrets: found.filter(({ kind }) => kind === 'secret').length }
}

async function* redacted(
  told: AsyncIterable<CutMessage>,
  options: RedactOptions,
  taken: { count: number },
): AsyncGenerator<CutMessage> {
  for await (const each of told) {
    if (each.message === null) yield each
    else {
      const { message, changes } = redactMessage(each.message, options)
      taken.count += changes.length
      yield { ...each, message }
    }
  }
}
