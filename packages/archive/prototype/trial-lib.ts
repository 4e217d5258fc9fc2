import { readdirSync, readFileSync, statSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { Archive, readVersion } from '../src/index.ts'
import { Mirror, sumOf } from './mirror.ts'
export const T = process.env.TRIAL_FOLDER ?? '', CLI = process.env.TRIAL_PROGRAM ?? ''
export type Format = 'today' | 'mirror'
export function todayFolder(data: string): string { const p = join(data, 'archive'); return join(p, (existsSync(p) ? readdirSync(p)[0] : undefined) ?? 'none') }
/** All contents that can be read of each path, and what the reader says is wrong. */
export async function readAll(format: Format, data: string): Promise<{ versions: Map<string, Buffer[]>; said: string[] }> {
  const versions = new Map<string, Buffer[]>(), said: string[] = []
  const add = (path: string, bytes: Buffer) => versions.set(path, [...(versions.get(path) ?? []), bytes])
  if (format === 'today') {
    const archive = new Archive(todayFolder(data))
    try { archive.refresh(); archive.prove(Date.now()) } catch (e) { said.push(`throws ${(e as Error).message.slice(0, 80)}`); return { versions, said } }
    for (const { file } of archive.damagedVersions()) said.push(`damaged ${file.path}`)
    for (const place of archive.proofs.damagedPlaces()) said.push(`damaged record in pack ${place.pack} at ${place.offset}`)
    for (const file of archive.manifest.files()) for (const version of file.versions) {
      try { const pieces: Uint8Array[] = []; for await (const piece of readVersion(archive, version)) pieces.push(piece); add(file.path, Buffer.concat(pieces)) } catch (e) { said.push(`read ${file.path}: ${(e as Error).message.slice(0, 60)}`) }
    }
  } else {
    const mirror = new Mirror(join(data, 'm'))
    mirror.open({ isWriter: false })
    for (const d of mirror.damages) said.push(`${d.what} ${d.path}: ${d.wholeBytes} of ${d.notedBytes}`)
    if (mirror.index.damagedLines > 0) said.push(`index: damaged`)
    if (mirror.index.isMissing) said.push('index: missing')
    for (const entry of mirror.index.entries.values()) for (const kept of [...entry.former, entry]) {
      const bytes = Buffer.concat([...mirror.read(kept)])
      if (bytes.length < sumOf(kept, 'rawBytes') && !mirror.isDamaged(kept.path)) said.push(`read ${kept.path}: not whole`)
      add(entry.path, bytes)
    }
  }
  return { versions, said }
}
export function filesOf(home: string): Map<string, Buffer> {
  return new Map(readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((p) => statSync(join(home, p)).isFile() && p !== 'projects.json' && p !== 'manifest.json').map((p) => [p, readFileSync(join(home, p))]))
}
const linesOf = (b: Buffer) => b.toString('latin1').split('\n').map((l) => l.replace(/,$/, '')).filter((l) => l.length >= 64 || l.includes('"id":'))
/** What was acknowledged and is in no content any more. */
export function missingOf(acked: Map<string, Buffer[]>, versions: Map<string, Buffer[]>): string[] {
  const out: string[] = []
  for (const [path, contents] of acked) {
    const have = versions.get(path) ?? []
    let union: Set<string> | null = null
    for (const content of contents) {
      if (have.some((v) => v.subarray(0, content.length).equals(content))) continue
      union ??= new Set(have.flatMap(linesOf))
      if (path.endsWith('.jsonl') || linesOf(content).some((l) => !union?.has(l)) || have.length === 0) out.push(`${path} (${content.length})`)
    }
  }
  return out
}
