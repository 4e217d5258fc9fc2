import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { type KeptList, ListFile } from './kept-list.ts'
import type { TellProblem } from './own-file.ts'

/** How tables identify the machine that wrote them. */
const machineNameSchema = z.looseObject({
  /** Random, and fixed for the lifetime of the data folder. */
  id: z.string(),
  /** The label chosen by the user; null: the id is used. */
  label: z.string().nullable(),
  /** Former names: tables under these names are replaced. */
  former: z.array(z.string()),
})
export type MachineName = z.infer<typeof machineNameSchema>

/** This machine's name, never its host name. `label`: the name to use from now on. */
export function machineName(list: KeptList<MachineName>, label: string | undefined): MachineName {
  const [known] = list.read()
  if (known !== undefined && (label === undefined || label === known.label)) return known
  const [kept] = list.update(([before = newMachine()]) => [
    label === undefined ? before : named(before, label),
  ])
  return kept ?? newMachine()
}

/** The name used in tables. */
export function nameOf({ id, label }: MachineName): string {
  return label ?? id
}

function newMachine(): MachineName {
  return { id: randomBytes(5).toString('hex'), label: null, former: [] }
}

function named(before: MachineName, label: string): MachineName {
  const former = [...new Set([...before.former, nameOf(before)])].filter((name) => name !== label)
  return { ...before, label, former }
}

/** `machine.json` of the data folder. */
export function openMachineFile(folder: string, tell: TellProblem): KeptList<MachineName> {
  return new ListFile({
    folder,
    name: 'machine',
    item: machineNameSchema,
    what: 'The name of this machine in exported tables',
    tell,
  })
}
