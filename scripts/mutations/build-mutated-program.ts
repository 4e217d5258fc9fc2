import type { TestProject } from 'vitest/node'
import { buildProgramWith } from '../../apps/gemini-dash/test/build-program.ts'
import { applyMutation } from './apply-mutation.ts'

/** Builds the program that tests start, including its threads, with the mutation. */
export default function buildMutatedProgram(project: TestProject): Promise<() => void> {
  const mutation = process.env.MUTATION
  return buildProgramWith(mutation ? [applyMutation(JSON.parse(mutation))] : [], project)
}
