import { join } from 'node:path'
import { Archive, readVersion } from '../src/index.ts'
import { Mirror, sumOf } from './mirror.ts'
import { T, todayFolder } from './trial-lib.ts'
const cpu = async (f: () => unknown) => { const c = process.cpuUsage(), t = performance.now(); await f(); const d = process.cpuUsage(c); return `${((d.user + d.system) / 1e3).toFixed(0)} ms cpu, ${(performance.now() - t).toFixed(0)} ms` }
for (let i = 0; i < 3; i++) {
  const a = new Archive(todayFolder(`${T}/d-today`)), m = new Mirror(join(`${T}/d-mirror`, 'm'))
  console.log('open   today', await cpu(() => { a.refresh(); a.prove(Date.now()) }), '| mirror', await cpu(() => m.open({ isWriter: false })))
  const big = [...m.index.entries.values()].sort((x, y) => sumOf(y, 'rawBytes') - sumOf(x, 'rawBytes'))
  for (const n of [0, 75]) { const e = big[n]!, f = a.manifest.find(e.path)!
    let x = 0, y = 0
    console.log(`read ${sumOf(e, 'rawBytes')} today`, await cpu(async () => { for await (const p of readVersion(a, f.versions.at(-1)!)) x += p.length }), '| mirror', await cpu(() => { for (const p of m.read(e)) y += p.length }), x === y) }
  let x = 0, y = 0
  console.log('read all today', await cpu(async () => { for (const f of a.manifest.files()) for (const v of f.versions) for await (const p of readVersion(a, v)) x += p.length }), '| mirror', await cpu(() => { for (const e of big) for (const k of [...e.former, e]) for (const p of m.read(k)) y += p.length }), x, y)
}
