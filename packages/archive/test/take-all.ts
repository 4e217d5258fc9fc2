import { Archive, ArchiveWriter } from '../src/index.ts'
import { takePath } from './take-path.ts'

// For a test that kills it: archives each file with a separate commit, repeatedly with the remaining ones.
const [, , folder = '', ...paths] = process.argv
const writer = new ArchiveWriter(new Archive(folder), { maxBytes: Number.POSITIVE_INFINITY, nowMs: 0 })
process.stdout.write('begins')
for (const path of paths) {
  await takePath(writer, path, { isLog: true, isCertain: false })
  await writer.commit()
}
await writer.close(0)
