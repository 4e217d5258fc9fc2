import type { DiscoveredFile, ProjectPlace, Scan } from 'gemini-sessions/node'

/** What was found of a look at the disk, without what follows from the rest: a third of the size. */
export interface PackedScan {
  projects: PackedPlace[]
  /** In their order; `place` is that of their project. */
  files: [place: number, file: PackedFile][]
}

type PackedFile = [path: string, sizeBytes: number, mtimeNs: string, ctimeNs: string, inode: string]
type PackedPlace = [
  home: string,
  folder: string,
  name: string,
  marker: string | null,
  logs: PackedFile | null,
  checkpoints: PackedFile[],
]

/** What was left out, or is missing now, is nothing to remember. */
export function packScan({ projects, files }: Scan): PackedScan {
  const places = new Map(projects.map(({ folder }, index) => [folder, index]))
  return {
    projects: projects.map(({ home, folder, name, marker, logs, checkpoints }) => [
      home,
      folder,
      name,
      marker,
      logs && logs.kept === undefined ? packFile(logs) : null,
      checkpoints.filter(isThere).map(packFile),
    ]),
    files: files.filter(isThere).flatMap((file) => {
      const place = places.get(file.projectFolder)
      return place === undefined ? [] : [[place, packFile(file)]]
    }),
  }
}

/** What was kept of the rest is found where it is kept. */
function isThere({ kept }: DiscoveredFile): boolean {
  return kept === undefined
}

export function unpackScan({ projects, files }: PackedScan): Scan {
  const places = projects.map(([home, folder, name, marker, logs, checkpoints]): ProjectPlace => {
    const unpack = (file: PackedFile) => unpackFile(file, { home, folder })
    return { home, folder, name, marker, logs: logs && unpack(logs), checkpoints: checkpoints.map(unpack) }
  })
  return {
    projects: places,
    files: files.flatMap(([place, file]) => {
      const project = places[place]
      return project === undefined ? [] : [unpackFile(file, project)]
    }),
    skipped: [],
  }
}

function packFile({ path, sizeBytes, mtimeNs, ctimeNs, inode }: DiscoveredFile): PackedFile {
  return [path, sizeBytes, mtimeNs, ctimeNs, inode]
}

function unpackFile(
  [path, sizeBytes, mtimeNs, ctimeNs, inode]: PackedFile,
  { home, folder }: Pick<ProjectPlace, 'home' | 'folder'>,
): DiscoveredFile {
  const mtimeMs = Number(BigInt(mtimeNs) / 1_000_000n)
  return {
    home,
    path,
    absolutePath: `${home}/${path}`,
    projectFolder: folder,
    sizeBytes,
    mtimeMs,
    mtimeNs,
    ctimeNs,
    inode,
  }
}
