import { expect } from 'vitest'
import { collectAnswers } from './collect-answers.ts'
import { type AnswersByHome, compareAnswers, readGolden } from './golden-files.ts'
import { GOLDEN_HOMES } from './golden-homes.ts'

const SHOWN = 20
const SHOWN_LENGTH = 200

/** @throws with the first differences between current answers and those of the golden file */
export async function expectAsFrozen(name: string): Promise<void> {
  const differences = compareAnswers(await collectHomes(name), readGolden(name))
  const lines = differences.slice(0, SHOWN).map(({ field, home, path, seen, golden }) => {
    return `${field}: ${show(seen)}, frozen was ${show(golden)} (${home} ${path})`
  })
  const fields = [...new Set(differences.map(({ field }) => field))].sort()
  expect({ lines, fields }).toEqual({ lines: [], fields: [] })
}

export async function collectHomes(name: string): Promise<AnswersByHome> {
  const answers: AnswersByHome = {}
  for (const homes of GOLDEN_HOMES[name] ?? []) answers[homes[0] ?? ''] = await collectAnswers(homes)
  return answers
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, SHOWN_LENGTH)
}
