import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, readdirSync, renameSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync, appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { CLI, type Format, readAll, T, todayFolder } from './trial-lib.ts'
const home = `${T}/dhome/.gemini`, env = { ...process.env, HOME: `${T}/fakehome` }
const base: Record<Format, string> = { today: `${T}/d-today`, mirror: `${T}/d-mirror` }
const edit = (p: string, f: (b: Buffer) => Buffer | void) => { const s = statSync(p); const b = readFileSync(p); writeFileSync(p, f(b) ?? b); utimesSync(p, s.atimeMs / 1e3, s.mtimeMs / 1e3) }
const flip = (share: number) => (p: string) => edit(p, (b) => { const at = Math.min(b.length - 1, Math.floor(b.length * share)); b[at] = b[at]! ^ 4 })
const flipAt = (at: number) => (p: string) => edit(p, (b) => { const a = at < 0 ? b.length + at : at; b[a] = b[a]! ^ 4 })
const cut = (to: (n: number) => number) => (p: string) => edit(p, (b) => b.subarray(0, to(b.length)))
const zero = (share: number) => (p: string) => edit(p, (b) => void b.fill(0, Math.floor(Math.max(0, b.length * share - 4096)), Math.floor(b.length * share)))
const gone = (p: string) => rmSync(p)
const swap = (a: string, b: string) => { renameSync(a, `${a}.x`); renameSync(b, a); renameSync(`${a}.x`, b) }
type D = [string, (f: { a: string; b: string; c: string; index: string; title: string }) => void]
const list: D[] = [
  ['data A: bit in its first byte', ({ a }) => flipAt(0)(a)], ['data A: bit in its 5th byte', ({ a }) => flipAt(4)(a)], ['data A: bit at a third', ({ a }) => flip(0.33)(a)], ['data A: bit in its last byte', ({ a }) => flipAt(-1)(a)],
  ['data A: cut by 5 bytes', ({ a }) => cut((n) => n - 5)(a)], ['data A: cut to half', ({ a }) => cut((n) => n >> 1)(a)], ['data A: cut to nothing', ({ a }) => cut(() => 0)(a)],
  ['data A: 4 KB of zeros in the middle', ({ a }) => zero(0.5)(a)], ['data A: 4 KB of zeros at the end', ({ a }) => zero(1)(a)], ['data A: deleted', ({ a }) => gone(a)], ['data A: 100 strange bytes behind it', ({ a }) => edit(a, (b) => Buffer.concat([b, Buffer.alloc(100, 7)]))],
  ['data B: bit in the middle', ({ b }) => flip(0.5)(b)], ['data B: cut to half', ({ b }) => cut((n) => n >> 1)(b)], ['data B: deleted', ({ b }) => gone(b)],
  ['data A and B swapped', ({ a, b }) => swap(a, b)], ['former version or last pack: bit', ({ c }) => flip(0.5)(c)], ['former version or last pack: deleted', ({ c }) => gone(c)],
  ['index: bit at a tenth', ({ index }) => flip(0.1)(index)], ['index: bit in the middle', ({ index }) => flip(0.5)(index)], ['index: cut to half', ({ index }) => cut((n) => n >> 1)(index)], ['index: deleted', ({ index }) => gone(index)], ['index: zeros', ({ index }) => zero(0.5)(index)],
  ['title (archive.json) or index: bit', ({ title }) => flipAt(3)(title)], ['index and data A swapped', ({ index, a }) => swap(index, a)],
]
const find = (format: Format, data: string) => {
  if (format === 'today') { const f = todayFolder(data), packs = readdirSync(join(f, 'packs')).sort().map((n) => join(f, 'packs', n)); return { a: packs[0]!, b: packs[1] ?? packs[0]!, c: packs.at(-1)!, index: join(f, 'index'), title: join(f, 'archive.json') } }
  const all = readdirSync(join(data, 'm'), { recursive: true, encoding: 'utf8' }).filter((n) => n.endsWith('.gz') && n !== 'index.gz').map((n) => join(data, 'm', n)).sort((x, y) => statSync(y).size - statSync(x).size)
  return { a: all[0]!, b: all[7]!, c: all.find((n) => /kept-1/.test(n))!, index: join(data, 'm', 'index.gz'), title: join(data, 'm', 'index.gz') }
}
const empty = `${T}/d-empty/.gemini`; rmSync(`${T}/d-empty`, { recursive: true, force: true }); mkdirSync(`${empty}/tmp`, { recursive: true })
for (const format of (process.argv[2] ? [process.argv[2] as Format] : ['today', 'mirror'] as const)) {
  const whole = await readAll(format, base[format])
  const total = [...whole.versions.values()].flat().reduce((s, b) => s + b.length, 0)
  console.log(`\n## ${format}: ${whole.versions.size} files, ${(total / 1e6).toFixed(1)} MB, said before: ${whole.said.length}`)
  let silent = 0, wrong = 0
  for (const [name, damage] of list) {
    const data = `${T}/d-work`; rmSync(data, { recursive: true, force: true }); cpSync(base[format], data, { recursive: true, preserveTimestamps: true })
    // as a look of the day before would leave it: whoever copies an archive has other inodes, so it is proven once
    if (format === 'mirror') spawnSync(process.execPath, [`${T}/status.mjs`, join(data, 'm')])
    damage(find(format, data))
    let status = ''
    if (format === 'today') { const r = spawnSync(process.execPath, [CLI, 'keep', 'status', '--json', '--home', home, '--data-dir', data], { encoding: 'utf8', env }); try { const s = JSON.parse(r.stdout); status = `exit ${r.status} damaged ${s.damaged} files ${s.files} problem ${s.problem ?? '-'}` } catch { status = `exit ${r.status} ${(r.stderr || r.stdout).slice(0, 60).replaceAll('\n', ' ')}` } }
    const now = await readAll(format, data)
    let readable = 0, bad = 0, lostFiles = 0
    for (const [path, contents] of whole.versions) { const have = now.versions.get(path) ?? []; let got = 0
      for (const c of contents) { const best = have.map((h) => h.equals(c) ? c.length : c.subarray(0, h.length).equals(h) ? h.length : 0); got += Math.max(0, ...best) }
      for (const h of have) if (!contents.some((c) => c.equals(h) || c.subarray(0, h.length).equals(h) || subsequence(h, c))) { bad++; } else if (!contents.some((c) => c.subarray(0, h.length).equals(h))) got += h.length
      readable += got; if (got < contents.reduce((s, c) => s + c.length, 0)) lostFiles++ }
    const lost = total - readable
    // today's is heard by status; ours by what open answers
    const isSaid = format === 'today' ? !/^exit 0 damaged 0 files \d+ problem -/.test(status) : now.said.length > 0
    const isSilent = (lost > 0 || bad > 0) && !isSaid
    if (isSilent) silent++; if (bad > 0 && !isSaid) wrong++
    console.log(`${isSilent ? 'SILENT' : 'ok    '} ${name} | lost ${(lost / 1e6).toFixed(2)} MB of ${lostFiles} files, other content ${bad} | ${format === 'today' ? status : now.said.slice(0, 2).join('; ').slice(0, 150)}${format === 'today' ? '' : ` (${now.said.length})`}`)
  }
  console.log(`${format}: silent ${silent}, wrong and unsaid ${wrong}`)
}
/** Members of 1 MB are missing out of it. */
function subsequence(some: Buffer, all: Buffer): boolean { let at = 0; for (let from = 0; from < some.length; ) { const piece = some.subarray(from, Math.min(from + 65536, some.length)); const key = some.subarray(from, Math.min(from + 4096, some.length)); const f = all.subarray(at, at + key.length).equals(key) ? at : all.indexOf(key, at); if (f === -1) return false; let n = 0; while (from + n < some.length && some[from + n] === all[f + n]) n++; if (n === 0) return false; from += n; at = f + n; void piece } return true }
