import { treeFingerprint } from '../../e2e/fixtures/tree-fingerprint.ts'
import type { Trial } from '../trial.ts'

/** Records every file of a Gemini folder that changed meanwhile: kind, size, times, mode or bytes. */
export async function expectUntouched<Result>(
  trial: Trial,
  home: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const before = treeFingerprint(home)
  try {
    return await work()
  } finally {
    const after = treeFingerprint(home)
    const paths = new Set([...Object.keys(before), ...Object.keys(after)])
    trial.addDifferences(
      [...paths]
        .filter((path) => before[path] !== after[path])
        .map(
          (path) =>
            `${path} of the home was touched: ${before[path] ?? 'nothing'} became ${after[path] ?? 'nothing'}`,
        ),
    )
  }
}
