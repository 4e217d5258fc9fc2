import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { programEnvironment } from '../../apps/gemini-dash/test/run-program.ts'
import { CutOff } from './cut-off.ts'
import { scenes } from './scenes.ts'

/** Step at which the temporary file of a log is removed, after open, two writes, sync and link. */
const REMOVED = 6

// One step of each command that was once wrong; the kit's `cut-off-commands` tries all of them.
test.each([
  ['move', 'new'],
  ['recover', 'shop'],
])(
  'R63: %s that is killed when a log is whole, and not told as done, is finished by a second one',
  async (name, project) => {
    const scene = scenes.find((each) => each.name === name)
    if (scene === undefined) throw new Error(`there is no scene ${name}`)
    const folder = mkdtempSync(join(tmpdir(), 'cut-off-'))
    try {
      const program = join(inject('program'), 'cli.js')
      const cutOff = new CutOff(program, scene, folder, programEnvironment({ HOME: folder }))
      await cutOff.prepare()
      const unfinished = join(cutOff.stage.home, 'tmp', project, 'chats', '.gemini-dash-')
      expect(await cutOff.killAt(REMOVED, unfinished)).toEqual([])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
