import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import open from 'open'
import { removeAtEnd } from './thread/main-thread.ts'

const FILE_LIFETIME_MS = 60_000

/**
 * Opens a file that leads to the URL, not the URL itself: arguments of a process can be read by every user of
 * the machine, the file only by this one. Answers whether a browser could be started.
 */
export async function openInBrowser(url: string, dataFolder: string): Promise<boolean> {
  const file = join(dataFolder, `open-${randomBytes(8).toString('hex')}.html`)
  const remove = () => rmSync(file, { force: true })
  try {
    writeFileSync(file, redirectPage(url), { mode: 0o600, flag: 'wx' })
    const browser = await open(file)
    browser.on('error', remove)
    // The process may end sooner, and takes the file with it; the code in it is used or void by then.
    setTimeout(remove, FILE_LIFETIME_MS).unref()
    removeAtEnd(file)
    return true
  } catch {
    remove()
    return false
  }
}

function redirectPage(url: string): string {
  return `<!doctype html><meta charset="utf-8"><title>gemini-dash</title><meta http-equiv="refresh" content="0;url=${url}">\n`
}
