import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Trial } from './trial.ts'

test.each([
  [3, 3],
  [null, 1],
])('a part ends after as many faults as are wanted: %j', (faults, runs) => {
  const folder = mkdtempSync(join(tmpdir(), 'trial-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const trial = new Trial({
    name: 'part',
    seed: 1,
    // a number of faults takes however long it takes
    minutes: faults === null ? 0 : 60,
    faults,
    isBounded: false,
    endsWhenFound: false,
    program: 'none',
    folder,
  })
  while (trial.hasTime()) trial.addFaults()
  expect(trial.findings).toMatchObject({ runs, faults: runs })
})
