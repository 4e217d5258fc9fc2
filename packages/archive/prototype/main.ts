import { keepHome } from './keep.ts'
import { sumOf } from './mirror.ts'
const [home = '', folder = '', max] = process.argv.slice(2)
const { mirror, taken, changing, unread, hindrance } = await keepHome(home, folder, { maxBytes: max === undefined ? undefined : Number(max) })
const entries = [...mirror.index.entries.values()]
console.log(JSON.stringify({ files: entries.length, taken, changing, unread, former: entries.reduce((s, e) => s + e.former.length, 0), rawBytes: entries.reduce((s, e) => s + sumOf(e, 'rawBytes'), 0), storedBytes: mirror.storedBytes, indexBytes: mirror.index.storedBytes, damages: mirror.damages, damagedLines: mirror.index.damagedLines, indexMissing: mirror.index.isMissing, hindrance: hindrance === null ? null : String((hindrance as Error).stack ?? hindrance) }))
process.exitCode = hindrance === null ? 0 : 1
