import { closeSync, openSync } from 'node:fs'
import { type ArchiveWriter, takeFile } from '../src/index.ts'

/** Archives the current state of the file under its path. */
export async function takePath(
  writer: ArchiveWriter,
  path: string,
  { isLog, isCertain }: { isLog: boolean; isCertain: boolean },
): Promise<void> {
  const file = writer.file(path, {})
  const descriptor = openSync(path, 'r')
  try {
    const note = await takeFile(
      writer,
      { descriptor, isLog },
      { file, isCertain },
      '2026-11-24T09:00:00.000Z',
    )
    if (note !== null) await writer.note(note)
  } finally {
    closeSync(descriptor)
  }
}
