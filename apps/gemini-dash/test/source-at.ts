import { statSync } from 'node:fs'
import type { IndexGroup } from '@gemini-dash/session-index'
import type { DiscoveredFile } from 'gemini-sessions/node'

/** Files of a folder in the form in which a scan passes them to a reader. */
export function sourceAt(home: string, paths: readonly string[], id = 'g'): IndexGroup {
  const files = paths.map((absolutePath, index): DiscoveredFile => {
    const { size, mtimeMs, mtimeNs, ctimeNs, ino } = statSync(absolutePath, { bigint: true })
    return {
      home,
      path: `tmp/webshop/chats/${index}-${absolutePath.split(/[/\\]/).at(-1)}`,
      absolutePath,
      projectFolder: home,
      sizeBytes: Number(size),
      mtimeMs: Number(mtimeMs),
      mtimeNs: String(mtimeNs),
      ctimeNs: String(ctimeNs),
      inode: String(ino),
    }
  })
  const fingerprint = files.map(({ sizeBytes, mtimeNs }) => `${sizeBytes} ${mtimeNs}`).join()
  return { id, fingerprint, files }
}
