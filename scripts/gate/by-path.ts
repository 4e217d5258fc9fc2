import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Runs test files in order of their paths: the same in a fresh clone and in a checkout with cached durations. A shard takes every nth file,
 * so that module sharing does not depend on speed either. TEST_SEED=7 selects another order, the same at each run.
 */
export class ByPath extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => groupOf(a) - groupOf(b) || compare(placeOf(a), placeOf(b)))
  }

  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { index = 1, count = 1 } = this.ctx.config.shard ?? {}
    return (await this.sort(files)).filter((_file, place) => place % count === index - 1)
  }
}

const groupOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder

const { TEST_SEED } = process.env

function placeOf({ moduleId, project }: TestSpecification): string {
  if (TEST_SEED === undefined) return moduleId
  const path = relative(project.config.root, moduleId)
  return createHash('sha256').update(`${TEST_SEED} ${path}`).digest('hex')
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
