import { Mirror } from './mirror.ts'
const m = new Mirror(process.argv[2]!); m.open(); m.commit()
console.log(JSON.stringify({ damages: m.damages, files: m.index.entries.size, stored: m.storedBytes, lines: m.index.damagedLines, missing: m.index.isMissing }))
