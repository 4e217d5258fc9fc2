import type { FailedTurn } from './find-failures.ts'
import { refusalSentence } from './refusal-sentence.ts'

/** Why a turn has no answer, or not all of one: the line that closes it. */
export function failedTurnSentence({ refusal, isAnswered }: FailedTurn): string {
  if (refusal === null) return 'No answer was recorded: the request failed or the CLI was stopped'
  return `${isAnswered ? 'Ended early' : 'No answer'}: ${refusalSentence(refusal)}`
}
