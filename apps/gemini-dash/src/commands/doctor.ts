import type { RunCommand } from '../command-line/commands.ts'
import { withIndexedStore } from '../environment/with-indexed-store.ts'
import { printDoctor } from '../print/print-doctor.ts'

export const doctor: RunCommand = async (input) => {
  await withIndexedStore(input, async (store) => {
    const { terminal, flags } = input
    const report = await store.doctor()
    await terminal.write(flags.json ? `${JSON.stringify(report)}\n` : printDoctor(report))
  })
}
