import type { Message } from '../../model/message.ts'
import { messageText, oneLine } from '../messages/message-text.ts'
import type { FailedTurn } from './find-failures.ts'
import { readApiError } from './read-api-error.ts'

const MAX_LENGTH = 300

/** Why a turn has no answer, or not all of one: the line that closes it. */
export function failedTurnSentence({ refusal, isAnswered }: FailedTurn): string {
  if (refusal === null) return 'No answer was recorded: the request failed or the CLI was stopped'
  return `${isAnswered ? 'Ended early' : 'No answer'}: ${refusalSentence(refusal)}`
}

/** "the API refused the request: 400 INVALID_ARGUMENT, '…'" of a notice that says so. */
function refusalSentence(notice: Message): string {
  const text = messageText(notice)
  const error = readApiError(text)
  if (error === null) return `the request failed: ‘${oneLine(text, MAX_LENGTH)}’`
  const said = error.message === '' ? '' : `‘${oneLine(error.message, MAX_LENGTH)}’`
  return `the API refused the request: ${[error.status, said].filter((part) => part !== '').join(', ')}`
}
