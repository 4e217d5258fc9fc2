import type { ToolCall } from 'gemini-sessions'

/** A question of the model to the user, with the answer. */
export interface AskedQuestion {
  header: string
  question: string
  options: { label: string; description: string; isChosen: boolean }[]
  /** null if the user gave none. */
  answer: string | null
}

/** The questions of `ask_user` (0.29+) and the user's answers. */
export function askedQuestions(call: ToolCall): AskedQuestion[] {
  const questions = objectsOf(fieldsOf(call.args)?.questions)
  if (questions.length === 0) return []
  const answers = readAnswers('text' in call.output ? call.output.text : '')
  return questions.map((question, index) => {
    const header = textOf(question.header)
    const answer = answers.get(String(index)) ?? answers.get(header) ?? null
    return {
      header,
      question: textOf(question.question),
      options: objectsOf(question.options).map((option) => toOption(option, answer)),
      answer,
    }
  })
}

/** `{"answers":{"0":"SQLite"}}`. A map, because a header may be called `constructor`. */
function readAnswers(text: string): Map<string, string> {
  try {
    const answers = fieldsOf(fieldsOf(JSON.parse(text))?.answers) ?? {}
    return new Map(
      Object.entries(answers).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
  } catch {
    return new Map()
  }
}

/** Several choices are joined with commas. */
function toOption(option: Record<string, unknown>, answer: string | null) {
  const label = textOf(option.label)
  const isChosen = answer !== null && (answer === label || answer.split(', ').includes(label))
  return { label, description: textOf(option.description), isChosen }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function objectsOf(value: unknown): Record<string, unknown>[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : []
  return items.map(fieldsOf).filter((fields) => fields !== null)
}

function fieldsOf(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
}
