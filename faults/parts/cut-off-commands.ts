import { CutOff } from '../cut-off/cut-off.ts'
import { scenes } from '../cut-off/scenes.ts'
import type { FaultPart } from '../fault-part.ts'

/** Each run tries every sixteenth step; later runs try the others. */
const STRIDE = 16

export const cutOffCommands: FaultPart = {
  name: 'cut-off-commands',
  does: 'R63: move, recover, keep and forget are killed (SIGKILL) at one step after the other of what they change, and run again',
  needs: [],
  run: async (trial) => {
    for (let run = trial.seed; trial.hasTime(); run += 1) {
      const scene = scenes[run % scenes.length]
      if (scene === undefined) return
      const env = { PATH: process.env.PATH ?? '', CI: 'true' }
      const cutOff = new CutOff(trial.program, scene, trial.newFolder(), env)
      await cutOff.prepare()
      const first = 1 + (Math.floor(run / scenes.length) % STRIDE)
      for (let step = first; ; step += STRIDE) {
        trial.at(`${scene.name}, killed at step ${step}`)
        const wrong = await cutOff.killAt(step)
        if (wrong === null) break
        trial.addFaults()
        trial.addDifferences(wrong)
      }
    }
  },
}
