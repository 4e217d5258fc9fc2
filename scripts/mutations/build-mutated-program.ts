import type { TestProject } from 'vitest/node'
import { buildProgramWith } from '../../apps/gemini-dash/test/build-program.ts'
import { applyMutation } from './apply-mutation.ts'

/** The program that tests start, and its threads, with the mutation in them. */
export default function buildMutatedProgram(project: TestProject): Promise<() => void> {
  const mutation = process.env.MUTATION
  return buildProgramWith(mutation ? [applyMutation(JSON.parse(mutation))] : [], project)
}
