import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename, join } from 'node:path'

/** Whether a Gemini CLI works in this folder or below it; null: this system does not tell. */
export function isCliRunningIn(folder: string, processes = '/proc'): boolean | null {
  let ids: string[]
  try {
    ids = readdirSync(processes).filter((name) => /^\d+$/.test(name))
  } catch {
    return null
  }
  return ids.length === 0 ? null : ids.some((id) => isCli(join(processes, id), folder))
}

function isCli(process: string, folder: string): boolean {
  try {
    const place = readlinkSync(join(process, 'cwd'))
    if (place !== folder && !place.startsWith(`${folder}/`)) return false
    const [program = '', ...args] = readFileSync(join(process, 'cmdline'), 'utf8').split('\0')
    // A script is named behind the program that runs it, and behind that one's options.
    const script = args.find((word) => !word.startsWith('-')) ?? ''
    return [program, script].some(
      (word) => /^gemini(\.js)?$/.test(basename(word)) || word.includes('/@google/gemini-cli/'),
    )
  } catch {
    // It has ended, or is another user's.
    return false
  }
}
