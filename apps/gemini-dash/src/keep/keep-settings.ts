import { z } from 'zod'
import type { KeptList } from '../own-data/kept-list.ts'
import { openListFile } from '../own-data/list-file.ts'
import type { TellDataProblem } from '../own-data/own-file.ts'

/** As much as thousands of long sessions take. */
const DEFAULT_MAX_BYTES = 10e9

/** What the user said of keeping one home. */
const keepSettingSchema = z.looseObject({
  /** `GeminiHome.path` */
  home: z.string(),
  isOn: z.boolean(),
  maxBytes: z.number().positive().nullable(),
  maxAgeDays: z.number().positive().nullable(),
})
export type KeepSetting = z.infer<typeof keepSettingSchema>

export function defaultSetting(home: string): KeepSetting {
  return { home, isOn: false, maxBytes: DEFAULT_MAX_BYTES, maxAgeDays: null }
}

/** In `keep.json` of the data folder. */
export function openKeepSettings(folder: string, tell: TellDataProblem): KeptList<KeepSetting> {
  return openListFile({
    folder,
    name: 'keep',
    item: keepSettingSchema,
    what: 'What is to be kept of sessions',
    tell,
  })
}
