// Run inside `unshare -m`: a tmpfs of 20 sizes, with an archive that was whole on a larger one, and a home that changed since.
import { spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CLI, filesOf, type Format, missingOf, readAll, T } from './trial-lib.ts'
const format = process.argv[2] as Format
const W = `${T}/f-${format}`; rmSync(W, { recursive: true, force: true }); mkdirSync(W, { recursive: true })
const env = { ...process.env, HOME: `${T}/fakehome` }
const home = `${W}/home/.gemini`
cpSync(`${T}/small/.gemini`, home, { recursive: true })
const args = (data: string, first: boolean) => format === 'today' ? [CLI, 'keep', first ? 'on' : 'now', ...(first ? ['--max-size=none'] : []), '--json', '--home', home, '--data-dir', data] : [`${T}/keep.mjs`, home, join(data, 'm')]
const keep = (data: string, first: boolean) => spawnSync(process.execPath, args(data, first), { encoding: 'utf8', env })
const all = readdirSync(join(home, 'tmp'), { recursive: true, encoding: 'utf8' }).filter((p) => /chats\/session/.test(p)).map((p) => join(home, 'tmp', p)).sort()
// the second half comes later
const later = all.filter((_, i) => i % 2 === 1).map((p) => [p, readFileSync(p)] as const)
for (const [p] of later) rmSync(p)
const first = `${W}/first`; mkdirSync(first); const r = keep(first, true); if (r.status !== 0) throw new Error(r.stderr + r.stdout)
const acked = new Map([...filesOf(home)].map(([p, b]) => [p, [b]]))
{ const { versions } = await readAll(format, first); for (const p of [...acked.keys()]) if (!versions.has(p)) acked.delete(p) }
const usedKb = Number(spawnSync('du', ['-sk', first], { encoding: 'utf8' }).stdout.split('\t')[0])
for (const [p, b] of later) writeFileSync(p, b)
for (const p of all.filter((_, i) => i % 2 === 0)) {
  if (p.endsWith('.jsonl')) appendFileSync(p, Array.from({ length: 40 }, (_, i) => JSON.stringify({ id: `new-${i}-${p.slice(-12)}`, type: 'user', content: `more ${Math.sin(i + p.length)} `.repeat(30) }) + '\n').join(''))
  else { const d = JSON.parse(readFileSync(p, 'utf8')); d.messages.splice(1, 1); writeFileSync(p, JSON.stringify(d, null, 2)) }
}
const full = `${W}/full`; cpSync(first, full, { recursive: true }); const fr = keep(full, false); if (fr.status !== 0) throw new Error(fr.stderr)
const fullKb = Number(spawnSync('du', ['-sk', full], { encoding: 'utf8' }).stdout.split('\t')[0])
let bad = 0
for (let k = 0; k < 20; k++) {
  const sizeKb = usedKb + 8 + Math.round(((fullKb - usedKb) * 1.15 * k) / 19)
  const disk = `${W}/disk`; mkdirSync(disk, { recursive: true })
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeKb}k`, 'tmpfs', disk]).status !== 0) throw new Error('mount')
  cpSync(first, disk, { recursive: true, preserveTimestamps: true })
  const run = keep(disk, false)
  const told = format === 'today' ? /no room|ENOSPC/.test(run.stderr + run.stdout) : /ENOSPC/.test(run.stdout)
  const now = await readAll(format, disk)
  const missing = missingOf(acked, now.versions)
  spawnSync('mount', ['-o', `remount,size=${fullKb * 2 + 4096}k`, disk])
  const again = keep(disk, false), whole = await readAll(format, disk)
  const home2 = new Map([...filesOf(home)].filter(([p]) => acked.has(p) || later.some(([l]) => l.endsWith(p))).map(([p, b]) => [p, [b]]))
  const m2 = [...missingOf(acked, whole.versions), ...missingOf(home2, whole.versions)]
  const isBad = missing.length > 0 || m2.length > 0 || (run.status !== 0) !== told || now.said.length > 0 || again.status !== 0 || whole.said.length > 0
  if (isBad) bad++
  console.log(`${isBad ? 'BAD' : 'ok '} ${sizeKb} kB: exit ${run.status}, told ${told}, lost ${missing.length}, said ${now.said.slice(0, 2)}, files then ${now.versions.size}; with room: exit ${again.status}, lost ${m2.length} ${m2.slice(0, 2)}, files ${whole.versions.size}, said ${whole.said.slice(0, 2)} ${run.status !== 0 && !told ? run.stdout.slice(-600) + run.stderr.slice(-300) : ''}`)
  spawnSync('umount', [disk])
}
console.log(JSON.stringify({ format, usedKb, fullKb, bad }))
