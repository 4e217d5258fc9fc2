import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { MAX_SENT_BYTES } from '@gemini-dash/api/paths'
import { FILE_KINDS, isSavedChatName, parseSessionFile, recognizeFile } from 'gemini-sessions'
import { readHeads } from 'gemini-sessions/node'
import { portableName, UniqueNames } from '../export/export-name.ts'
import { CliError } from '../terminal/cli-error.ts'
import { exportAsSession } from './export-as-session.ts'
import {
  firstBytes,
  type GivenPath,
  type HandedFile,
  handedFiles,
  isZip,
  type ZipLimits,
  zipFiles,
} from './handed-files.ts'

/** A file that is shown. */
export interface OpenedFile {
  /** As given. */
  name: string
  sessionId: string
  isSubagent: boolean
  /** Path of its copy, in the folder of copies. */
  place: string
}

const GIGABYTE = 1024 ** 3

/** For files named on the command line: the reader decides what is a session. */
const LIMITS: ZipLimits = {
  zipBytes: GIGABYTE,
  fileBytes: GIGABYTE / 2,
  allBytes: 2 * GIGABYTE,
  tooLarge: (name) =>
    new CliError(
      1,
      `${name} is too large. The limits are 1 GB for a zip, 512 MB for a file in it, and 2 GB for all of them unpacked.`,
      'Unpack it and open the folder.',
    ),
}

/** For what a browser sends, which is held in memory. */
const SENT_LIMITS: ZipLimits = {
  zipBytes: MAX_SENT_BYTES,
  fileBytes: GIGABYTE / 4,
  allBytes: GIGABYTE / 2,
  tooLarge: (name) =>
    new CliError(
      1,
      `${name} is too large to be opened here. The limits are 512 MB for everything that is open, and 256 MB unpacked for a file in a zip.`,
      'Close open files, or run in a terminal: gemini-dash open PATH',
    ),
}

const FOLDER_NAME = /^gemini-dash-opened-(\d+)-/
/** Files up to this size are read in full to find out what they are. */
const MOST_PARSED_BYTES = 64 * 1024 * 1024
const HASH = /^[0-9a-f]{64}$/
/** A folder that Gemini CLI names after a session. */
const ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i
const LONGEST_NAME = 150

/** Copies of opened files, in a temporary Gemini folder that only this user can read and that is removed with the program. */
export class OpenedFolder {
  /** Absolute path: a home of the store. */
  readonly path: string
  readonly #names = new UniqueNames()
  readonly #remove = () => this.remove()
  #sentBytes = 0
  /** A browser sends files one after the other: a session may arrive after its sub-agents. */
  readonly #sent: OpenedFile[] = []

  /** @throws if nothing can be written there */
  constructor() {
    removeLeft()
    this.path = mkdtempSync(join(tmpdir(), `gemini-dash-opened-${process.pid}-`))
    process.on('exit', this.#remove)
    mkdirSync(join(this.path, 'tmp'))
    // no Gemini CLI works in it, so nothing is deleted from it
    writeFileSync(join(this.path, 'settings.json'), '{"general":{"sessionRetention":{"enabled":false}}}\n')
  }

  /** Opens what is at these paths. @throws CliError if there is nothing to open, with each file's reason */
  async addPaths(paths: readonly string[]): Promise<OpenedFile[]> {
    const opened: OpenedFile[] = []
    for (const path of paths) opened.push(...(await this.#addPath(path)))
    this.#join(opened)
    return opened
  }

  remove(): void {
    process.off('exit', this.#remove)
    rmSync(this.path, { recursive: true, force: true })
  }

  /** Opens what a browser sends: a file or a zip, with its name and the folders it is in. @throws CliError if there is nothing to open */
  async addSent(name: string, bytes: Buffer, modifiedMs: number): Promise<void> {
    this.#sentBytes += bytes.length
    if (this.#sentBytes > SENT_LIMITS.allBytes) throw SENT_LIMITS.tooLarge(name)
    const parts = name.split('/')
    const file = {
      ...{ name, baseName: parts.at(-1) ?? '', folder: parts.at(-2) ?? '' },
      ...{ sizeBytes: bytes.length, modifiedMs, path: null, bytes },
    }
    const given = isZip(bytes)
      ? { isNamed: false, files: zipFiles(name, bytes, SENT_LIMITS) }
      : { isNamed: true, files: [file] }
    this.#sent.push(...(await this.#addGiven(name, given)))
    this.#join(this.#sent)
  }

  #addPath(path: string): Promise<OpenedFile[]> {
    return this.#addGiven(path, handedFiles(path, LIMITS))
  }

  async #addGiven(path: string, { isNamed, files }: GivenPath): Promise<OpenedFile[]> {
    const opened: OpenedFile[] = []
    const refused: CliError[] = []
    for await (const file of files) {
      try {
        opened.push(await this.add(file))
      } catch (error) {
        // other files beside the sessions are ignored
        if (isNamed || !(error instanceof CliError)) throw error
        refused.push(error)
      }
    }
    const [first] = refused
    if (opened.length > 0) return opened
    if (first === undefined)
      throw new CliError(1, `${path} has no session: there is no .json or .jsonl file in it.`)
    const others = refused.length === 1 ? '' : ` (and ${refused.length - 1} more like it)`
    throw new CliError(1, `${path} has no session: ${first.message}${others}`, first.hint)
  }

  /** @throws CliError with the reason if it is not a file that can be shown here */
  async add(file: HandedFile): Promise<OpenedFile> {
    const head = firstBytes(file)
    const kind = recognizeFile(head)
    if (kind === 'gemini-dash-export') return this.add(exportAsSession(file))
    if (file.sizeBytes === 0) throw refusal(file, 'It is empty.')
    const own = await this.#firstBytes(file)
    if (own.sessionId === null && kind === 'saved-chat') return this.#addChat(file)
    const { reason, advice, isCertain } = FILE_KINDS[kind]
    // other programs record session ids too
    if ((own.sessionId === null || isCertain) && !hasMessages(file))
      throw refusal(file, reason, isCertain ? advice : null)
    const { sessionId, projectHash } = own
    const isSubagent = own.kind === 'subagent'
    const project = HASH.test(projectHash ?? '') ? (projectHash ?? '') : safeName(file.project ?? 'opened')
    const parent = isSubagent && ID.test(file.folder) ? [file.folder] : []
    const name = safeName(file.baseName).replace(/(\.jsonl?)?(\.unreadable-\d+)?$/i, '')
    const ending = /\.json$/i.test(file.baseName) ? '.json' : '.jsonl'
    const place = this.#names.add(join('tmp', project, 'chats', ...parent, name), ending)
    this.#write(file, place)
    return { name: file.name, sessionId: sessionId ?? name, isSubagent, place }
  }

  /** Gemini CLI keeps sub-agents in a folder that their session names; files sent alone or as an export are not in one. */
  #join(opened: readonly OpenedFile[]): void {
    const alone = opened.filter(({ isSubagent, place }) => isSubagent && basename(dirname(place)) === 'chats')
    if (alone.length === 0) return
    for (const { place: parentPlace, sessionId, isSubagent } of opened) {
      if (isSubagent) continue
      const content = readFileSync(join(this.path, parentPlace))
      for (const { place, sessionId: agentId } of alone) {
        const current = join(this.path, place)
        if (!content.includes(`"${agentId}"`) || !existsSync(current)) continue
        const folder = join(this.path, dirname(parentPlace), safeName(sessionId))
        mkdirSync(folder, { recursive: true })
        renameSync(current, join(folder, basename(place)))
      }
    }
  }

  #addChat(file: HandedFile): OpenedFile {
    const stem = safeName(file.baseName).replace(/\.jsonl?$/i, '')
    const named = isSavedChatName(`${stem}.json`) ? stem : `checkpoint-${encodeURIComponent(stem)}`
    const place = this.#names.add(join('tmp', 'opened', named), '.json')
    this.#write(file, place)
    return { name: file.name, sessionId: named, isSubagent: false, place }
  }

  async #firstBytes({ path, bytes, sizeBytes, name }: HandedFile) {
    const staged = join(this.path, 'staged')
    if (bytes !== null) writeFileSync(staged, bytes, { mode: 0o600 })
    const found = {
      ...{ home: this.path, path: name, absolutePath: path ?? staged, projectFolder: this.path },
      ...{ sizeBytes, mtimeMs: 0, mtimeNs: '0', ctimeNs: '0', inode: '0' },
    }
    const heads = await readHeads([found], (_file, code) => {
      throw new CliError(1, `${name} could not be opened: the system does not allow reading it (${code}).`)
    })
    rmSync(staged, { force: true })
    const head = heads.get(found)
    if (head === undefined) throw new CliError(1, `${name} could not be opened.`)
    return head
  }

  #write({ path, bytes, modifiedMs }: HandedFile, place: string): void {
    const target = join(this.path, place)
    mkdirSync(dirname(target), { recursive: true })
    if (bytes !== null) writeFileSync(target, bytes, { mode: 0o600, flag: 'wx' })
    else if (path !== null) {
      copyFileSync(path, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
      chmodSync(target, 0o600)
    }
    const time = new Date(Number.isFinite(modifiedMs) ? modifiedMs : Date.now())
    utimesSync(target, time, time)
  }
}

/** Whether it is a session whose beginning is missing. */
function hasMessages({ path, bytes, name, sizeBytes }: HandedFile): boolean {
  if (sizeBytes > MOST_PARSED_BYTES) return false
  const content = bytes ?? (path === null ? new Uint8Array() : readFileSync(path))
  const { messages } = parseSessionFile({ path: name, bytes: content })
  return messages.length > 0
}

function refusal({ name }: HandedFile, reason: string, advice: string | null = null): CliError {
  return new CliError(
    1,
    `${name} cannot be opened: ${reason.replace(/^(This|These|It|The) /, lowerFirst)}`,
    advice,
  )
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

function safeName(name: string): string {
  const portable = portableName(name).replace(/^\.+/, '')
  return portable.length === 0 ? 'session' : portable.slice(-LONGEST_NAME)
}

/** Folders left behind by killed processes. */
function removeLeft(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(FOLDER_NAME.exec(name)?.[1] ?? 0)
    const path = join(tmpdir(), name)
    if (pid > 0 && !isRunning(pid) && isOwn(path)) rmSync(path, { recursive: true, force: true })
  }
}

function isOwn(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return stats?.isDirectory() === true && (process.getuid === undefined || stats.uid === process.getuid())
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
