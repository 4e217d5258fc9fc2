import type { ToolCall } from 'gemini-sessions'
import { isRecord } from './is-record.ts'

export interface AskedQuestion {
  header: string
  question: string
  options: { label: string; description: string; isChosen: boolean }[]
  /** null where the person left it open. */
  answer: string | null
}

/** What `ask_user` asked (0.29+) and what the person answered. */
export function askedQuestions(call: ToolCall): AskedQuestion[] {
  const answers = readAnswers('text' in call.output ? call.output.text : '')
  const questions = isRecord(call.args) && Array.isArray(call.args.questions) ? call.args.questions : []
  return questions.filter(isRecord).map((question, index) => {
    const header = textOf(question.header)
    const answer = answers.get(String(index)) ?? answers.get(header) ?? null
    const options = (Array.isArray(question.options) ? question.options : []).filter(isRecord)
    return {
      header,
      question: textOf(question.question),
      options: options.map((option) => toOption(option, answer)),
      answer,
    }
  })
}

/** `{"answers":{"0":"SQLite"}}`. A map: a header may be called `constructor`. */
function readAnswers(text: string): Map<string, string> {
  try {
    const stored: unknown = JSON.parse(text)
    const answers = isRecord(stored) && isRecord(stored.answers) ? stored.answers : {}
    return new Map(
      Object.entries(answers).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
  } catch {
    return new Map()
  }
}

/** Several choices are joined by commas. */
function toOption(option: Record<string, unknown>, answer: string | null) {
  const label = textOf(option.label)
  const isChosen = answer !== null && (answer === label || answer.split(', ').includes(label))
  return { label, description: textOf(option.description), isChosen }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
