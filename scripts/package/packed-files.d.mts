interface Owner {
  author: string
  repository: string
}
type Manifest = Record<string, unknown>

export function ownedFields(owner: Owner, directory: string): Manifest
export function ownedReadme(text: string, repository: string): string
export function cleanManifest(manifest: Manifest): Manifest
export function faultsOf(
  packed: { manifest: string; readme: string; files: { path: string; sizeBytes: number }[] },
  mostBytes: number,
): string[]
