export {
  Archive,
  type ArchiveDamage,
  DamagedContent,
  holdsVersion,
  isArchive,
  readVersion,
} from './archive.ts'
export { ArchiveWriter, isSameStamp, LimitReached, ShrunkFile, takeFile } from './archive-writer.ts'
export { UnknownCodec } from './content.ts'
export type { FileLabel, KeptFile, KeptVersion, Note, TakenStamp } from './manifest.ts'
export { forgetFiles, type Repair, repairArchive, settleMended } from './repair-archive.ts'
