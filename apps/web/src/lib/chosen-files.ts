/** A file chosen or dropped by the reader. */
export interface ChosenFile {
  /** With its folders, as far as the browser reports them. */
  name: string
  file: File
}

/** Folders may contain anything; only these files are read. */
const READABLE = /\.(jsonl?|zip)$/i
const MOST_LEVELS = 6
const MOST_FILES = 1_000

/** The chosen files; from a folder, only those that can be sessions. */
export function filesOfInput(files: Iterable<File>): ChosenFile[] {
  const chosen = Array.from(files, (file) => ({ name: file.webkitRelativePath || file.name, file }))
  return chosen.filter(({ name, file }) => file.webkitRelativePath === '' || isReadable(name))
}

/** The dropped files, including those in dropped folders. Must be called within the event. */
export function filesOfDrop({ items, files }: DataTransfer): Promise<ChosenFile[]> {
  const entries = Array.from(items, (item) => item.webkitGetAsEntry())
  if (!entries.some((entry) => entry?.isDirectory)) return Promise.resolve(filesOfInput(files))
  return readEntries(entries)
}

async function readEntries(entries: readonly (FileSystemEntry | null)[]): Promise<ChosenFile[]> {
  const chosen: ChosenFile[] = []
  for (const entry of entries) {
    if (entry === null) continue
    if (entry.isFile) chosen.push(await readFile(entry))
    else for await (const file of walk(entry, MOST_LEVELS)) chosen.push(file)
    if (chosen.length > MOST_FILES)
      throw new Error(`${entry.name} has more than 1,000 files. Open it in a terminal: gemini-dash open PATH`)
  }
  return chosen
}

async function* walk(folder: FileSystemEntry, levels: number): AsyncGenerator<ChosenFile> {
  for await (const entry of entriesOf(folder as FileSystemDirectoryEntry)) {
    if (entry.isDirectory && levels > 1) yield* walk(entry, levels - 1)
    else if (entry.isFile && isReadable(entry.name)) yield await readFile(entry)
  }
}

async function* entriesOf(folder: FileSystemDirectoryEntry): AsyncGenerator<FileSystemEntry> {
  const reader = folder.createReader()
  // each call returns the next batch
  for (;;) {
    const found = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (found.length === 0) return
    yield* found
  }
}

async function readFile(entry: FileSystemEntry): Promise<ChosenFile> {
  const file = await new Promise<File>((resolve, reject) =>
    (entry as FileSystemFileEntry).file(resolve, reject),
  )
  return { name: entry.fullPath.replace(/^\//, ''), file }
}

function isReadable(name: string): boolean {
  return READABLE.test(name) && !/(^|\/)\./.test(name)
}
