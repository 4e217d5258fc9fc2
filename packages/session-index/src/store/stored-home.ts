import type { DiscoveredFile, FileHead } from 'gemini-sessions/node'
import type { FileEnds, FoundFolder, FoundPlaces, IndexGroup, StoredKind } from '../contract.ts'
import type { Database, SqlRow } from '../driver.ts'

/** Files that were found, in groups that were not read. */
const UNREAD = 'group_id NOT IN (SELECT id FROM file_group)'

/** A `StoredHome` as queried from the tables. JSON is parsed by the receiving thread. */
export interface PackedHome {
  folders: FoundFolder[]
  groups: SqlRow[]
  files: SqlRow[]
  sessions: SqlRow[]
}

export function packHome(database: Database): PackedHome {
  return {
    folders: readFolders(database),
    groups: database.all('SELECT id, fingerprint, claims FROM file_group'),
    files: database.all('SELECT * FROM file ORDER BY group_id, number'),
    sessions: database.all('SELECT group_id, record FROM session ORDER BY group_id, number'),
  }
}

export function toEnds(row: SqlRow): FileEnds {
  const head = textOrNull(row.head)
  return {
    file: toFile(row),
    head: head === null ? null : JSON.parse(head),
    lastTime: textOrNull(row.last_time),
  }
}

function readFolders(database: Database): FoundFolder[] {
  const folders = database.all('SELECT path, home, name, marker, searched FROM folder ORDER BY path')
  return folders.map(({ path, home, name, marker, searched }) => ({
    folder: String(path),
    home: String(home),
    name: String(name),
    marker: textOrNull(marker),
    searched: textOrNull(searched),
  }))
}

function readPlaces(database: Database): Record<keyof FoundPlaces, unknown> {
  const projects = database.all('SELECT key, name, path FROM project ORDER BY key')
  const unread = database.all(`SELECT * FROM file WHERE ${UNREAD} ORDER BY group_id, number`)
  return {
    projects: projects.map(({ key, name, path }) => ({
      key: String(key),
      name: String(name),
      path: textOrNull(path),
    })),
    folders: readFolders(database),
    unread: unread.map(toEnds),
  }
}

export function arePlacesStored(database: Database, { projects, folders, unread }: FoundPlaces): boolean {
  const found = {
    projects: inOrder(projects, ({ key }) => key).map(({ key, name, path }) => ({ key, name, path })),
    folders: inOrder(folders, ({ folder }) => folder),
    unread: inOrder(unread, ({ id }) => id).flatMap(({ files }) => files),
  }
  return JSON.stringify(found) === JSON.stringify(readPlaces(database))
}

export function writePlaces(database: Database, { projects, folders, unread }: FoundPlaces): void {
  database.exec(`DELETE FROM project; DELETE FROM folder; DELETE FROM file WHERE ${UNREAD}`)
  for (const { id, files } of unread)
    for (const [number, ends] of files.entries())
      writeFile(database, { groupId: id, number, kind: 'session', ...ends })
  for (const { key, name, path } of projects)
    database.run('INSERT OR REPLACE INTO project (key, name, path) VALUES (?, ?, ?)', key, name, path)
  for (const { folder, home, name, marker, searched } of folders)
    database.run(
      'INSERT OR REPLACE INTO folder (path, home, name, marker, searched) VALUES (?, ?, ?, ?, ?)',
      folder,
      home,
      name,
      marker,
      searched,
    )
}

function inOrder<Item>(items: readonly Item[], nameOf: (item: Item) => string): Item[] {
  return items.toSorted((a, b) => Buffer.compare(Buffer.from(nameOf(a)), Buffer.from(nameOf(b))))
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

interface FileRow {
  groupId: string
  number: number
  kind: StoredKind
  file: DiscoveredFile
  head: FileHead | null
  lastTime?: string | null
}

function writeFile(
  database: Database,
  { groupId, number, kind, file, head, lastTime = null }: FileRow,
): void {
  database.run(
    INSERT_FILE,
    groupId,
    number,
    file.absolutePath,
    file.home,
    file.path,
    file.projectFolder,
    kind,
    file.sizeBytes,
    file.mtimeNs,
    file.ctimeNs,
    file.inode,
    file.kept === undefined ? null : JSON.stringify(file.kept),
    head?.sessionId ?? null,
    head?.startTime ?? null,
    lastTime,
    head === null ? null : JSON.stringify(head),
  )
}

function toFile(row: SqlRow): DiscoveredFile {
  const mtimeNs = String(row.mtime_ns)
  return {
    home: String(row.home),
    path: String(row.name),
    absolutePath: String(row.path),
    projectFolder: String(row.folder),
    sizeBytes: Number(row.size),
    mtimeMs: Number(BigInt(mtimeNs) / 1_000_000n),
    mtimeNs,
    ctimeNs: String(row.ctime_ns),
    inode: String(row.inode),
    ...(typeof row.kept === 'string' && { kept: JSON.parse(row.kept) }),
  }
}

const INSERT_FILE = `INSERT INTO file
  (group_id, number, path, home, name, folder, kind, size, mtime_ns, ctime_ns, inode, kept, session_id, start_time,
   last_time, head)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

const KINDS = { 'prompt-logs': 'prompts', 'saved-chats': 'chat', conversation: 'conversation' } as const

/** Not the fingerprint of any group, so that it is read again at the next start. */
export const NOT_READ = 'not read'

/** Groups in a shard's tables, and their files. The list of groups is read at once, their files on demand. */
export class StoredGroups {
  readonly #database: Database
  readonly #fingerprints = new Map<string, string>()
  readonly #groups = new Map<string, IndexGroup>()

  constructor(database: Database) {
    this.#database = database
    for (const { id, fingerprint } of database.all('SELECT id, fingerprint FROM file_group'))
      this.#fingerprints.set(String(id), String(fingerprint))
  }

  held(): [id: string, fingerprint: string][] {
    return [...this.#fingerprints]
  }

  ids(): Iterable<string> {
    return this.#fingerprints.keys()
  }

  has(id: string): boolean {
    return this.#fingerprints.has(id)
  }

  fingerprint(id: string): string | undefined {
    return this.#fingerprints.get(id)
  }

  /** As it was read. */
  get(id: string): IndexGroup | undefined {
    const known = this.#groups.get(id)
    const fingerprint = this.#fingerprints.get(id)
    if (known !== undefined || fingerprint === undefined) return known
    const row = this.#database.get('SELECT claims, loose FROM file_group WHERE id = ?', id)
    const files = this.#database.all('SELECT * FROM file WHERE group_id = ? ORDER BY number', id)
    const group = {
      id,
      fingerprint,
      files: files.map(toFile),
      ...(typeof row?.claims === 'string' && { claims: JSON.parse(row.claims) }),
      ...(typeof row?.loose === 'string' && { loose: JSON.parse(row.loose) }),
    }
    this.#groups.set(id, group)
    return group
  }

  write(group: IndexGroup): void {
    const { id, fingerprint, files, claims, loose, heads = {} } = group
    this.#database.run(
      'INSERT OR REPLACE INTO file_group (id, fingerprint, claims, loose) VALUES (?, ?, ?, ?)',
      id,
      fingerprint,
      claims === undefined ? null : JSON.stringify(claims),
      loose === undefined ? null : JSON.stringify(loose),
    )
    this.#database.run('DELETE FROM file WHERE group_id = ?', id)
    const kind = loose === undefined ? 'session' : KINDS[loose.kind]
    for (const [number, file] of files.entries())
      writeFile(this.#database, { groupId: id, number, kind, file, head: heads[file.absolutePath] ?? null })
    this.#fingerprints.set(id, fingerprint)
    // Nobody requests heads of a stored group from a shard.
    this.#groups.set(id, { id, fingerprint, files, claims, ...(loose !== undefined && { loose }) })
  }

  remove(id: string): void {
    this.#database.run('DELETE FROM file_group WHERE id = ?', id)
    this.#database.run('DELETE FROM file WHERE group_id = ?', id)
    this.#fingerprints.delete(id)
    this.#groups.delete(id)
  }
}
