import { spawn, spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CLI, filesOf, type Format, missingOf, readAll, T } from './trial-lib.ts'
const format = process.argv[2] as Format, kills = Number(process.argv[3] ?? 170), seed = Number(process.argv[4] ?? 7)
let s = seed * 7919 + 1; const rnd = () => { s |= 0; s = (s + 0x6d2b79f5) | 0; let t = Math.imul(s ^ (s >>> 15), 1 | s); t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t; return ((t ^ (t >>> 14)) >>> 0) / 4294967296 }
const int = (a: number, b: number) => a + Math.floor(rnd() * (b - a + 1))
const W = `${T}/k-${format}-${seed}`; rmSync(W, { recursive: true, force: true })
const home = `${W}/home/.gemini`, data = `${W}/data`; mkdirSync(home, { recursive: true }); mkdirSync(data)
cpSync(`${T}/sample/.gemini`, home, { recursive: true }); spawnSync('chmod', ['-R', 'u+w', home])
const chats = join(home, 'tmp/bookshop/chats')
const text = readFileSync(join(chats, readdirSync(chats).find((n) => n.endsWith('e4d99b26.jsonl'))!), 'utf8').repeat(20)
const word = (n: number) => { const at = int(0, text.length - n - 1); return text.slice(at, at + n).replace(/[^ -~]|["\\]/g, ' ') }
let id = 0
const message = () => ({ id: `${String(++id).padStart(8, '0')}-aaaa-4aaa-8aaa-aaaaaaaaaaaa`, type: 'user', timestamp: '2026-11-20T10:00:00.000Z', content: word(int(80, 6000)) })
const docs: { path: string; messages: unknown[]; sessionId: string }[] = []
let n = 0
const mutate = () => {
  for (let i = int(1, 6); i > 0; i--) {
    const logs = readdirSync(chats).filter((x) => x.endsWith('.jsonl')), kind = int(0, 9)
    if (kind <= 3 && logs.length > 0) for (let k = int(1, 5); k > 0; k--) appendFileSync(join(chats, logs[int(0, logs.length - 1)]!), JSON.stringify(message()) + '\n')
    else if (kind === 4 || logs.length < 4) { const sid = `${String(++n).padStart(8, '0')}-bbbb-4bbb-8bbb-bbbbbbbbbbbb`; writeFileSync(join(chats, `session-2026-11-20T10-00-${sid.slice(0, 8)}.jsonl`), [JSON.stringify({ sessionId: sid, projectHash: 'x', startTime: '2026-11-20T10:00:00.000Z' }), ...Array.from({ length: int(1, 400) }, () => JSON.stringify(message())), ''].join('\n')) }
    else if (kind === 5 || docs.length < 2) { const sid = `${String(++n).padStart(8, '0')}-cccc-4ccc-8ccc-cccccccccccc`; docs.push({ sessionId: sid, path: join(chats, `session-2026-11-20T10-00-${sid.slice(0, 8)}.json`), messages: [message()] }) }
    else if (kind === 6 && logs.length > 4) rmSync(join(chats, logs[int(0, logs.length - 1)]!))
    if (docs.length > 0) { const d = docs[int(0, docs.length - 1)]!; if (rnd() < 0.2) d.messages.splice(int(0, d.messages.length - 1), 1); else d.messages.push(message(), message()); writeFileSync(d.path, JSON.stringify({ sessionId: d.sessionId, projectHash: 'x', startTime: '2026-11-20T10:00:00.000Z', lastUpdated: new Date(1.78e12 + id * 1000).toISOString(), messages: d.messages }, null, 2)) }
  }
}
const env = { ...process.env, HOME: `${T}/fakehome`, QUIET_MS: '2000' }
const args = (first: boolean) => format === 'today' ? [CLI, 'keep', first ? 'on' : 'now', ...(first ? ['--max-size=none'] : []), '--json', '--home', home, '--data-dir', data] : [`${T}/keep.mjs`, home, join(data, 'm')]
const run = () => { const r = spawnSync(process.execPath, ['--require', `${T}/kill-step.cjs`, ...args(true)], { encoding: 'utf8', env: { ...env, KILL_UNDER: data, STEPS_TO: `${W}/steps` } }); if (r.status !== 0) throw new Error(`${r.status} ${r.stderr} ${r.stdout}`); return r.stdout }
// today's writes in the main thread of the command
const acked = new Map<string, Buffer[]>()
const ack = () => { for (const [path, bytes] of filesOf(home)) { if (/\.keep$/.test(path)) continue; const known = acked.get(path) ?? []; if (!known.some((k) => k.equals(bytes))) acked.set(path, [...known, bytes].filter((x, i, all) => !all.some((y, j) => j > i && y.length > x.length && y.subarray(0, x.length).equals(x)))) } }
mutate(); run(); 
// what is kept at all
{ const { versions } = await readAll(format, data); ack(); for (const path of [...acked.keys()]) if (!versions.has(path)) { acked.delete(path) } }
const isKept = (p: string) => /chats|logs\.json|checkpoint|project_root|plans|tracker|tool-outputs/.test(p)
let lost = 0, said = 0, killed = 0, gunzipBad = 0; const where: string[] = []
for (let k = 0; k < kills; k++) {
  mutate()
  const isStep = k % 3 !== 0
  const steps = Number(readFileSync(`${W}/steps`, 'utf8').trim().split('\n').at(-1)), at = int(1, Math.max(8, Math.min(steps, 60)))
  if (isStep) { const r = spawnSync(process.execPath, ['--require', `${T}/kill-step.cjs`, ...args(true)], { env: { ...env, KILL_UNDER: data, KILL_AT: String(at) }, encoding: 'utf8' }); if (r.signal === 'SIGKILL') killed++ }
  else await new Promise<void>((done) => { const c = spawn(process.execPath, args(true), { env, stdio: 'ignore' }); const t = setTimeout(() => c.kill('SIGKILL'), int(80, 900)); c.on('exit', (_c, signal) => { clearTimeout(t); if (signal) killed++; done() }) })
  const after = await readAll(format, data)
  const missing = missingOf(acked, after.versions)
  if (missing.length > 0) { lost++; where.push(`kill ${k} at ${isStep ? at : 'random'}: ${missing.slice(0, 2).join(', ')} | ${after.said.slice(0, 2)}`) }
  if (after.said.length > 0) { said++; if (where.length < 12) where.push(`said after kill ${k} at ${isStep ? at : 'random'}: ${after.said.slice(0, 2).join('; ')}`) }
  if (k % 10 === 9) console.log(JSON.stringify({ format, seed, done: k + 1, killed, lost, said, gunzipBad, where: where.slice(0, 3) }))
  // the home loses more before anything ran to its end
  if (k % 2 === 0) continue
  run()
  const whole = await readAll(format, data)
  const m2 = missingOf(acked, whole.versions); if (m2.length > 0) { lost++; where.push(`after the next run: ${m2.slice(0, 2).join(', ')}`) }
  for (const p of [...filesOf(home).keys()]) if (isKept(p) && !p.endsWith('.keep') && !whole.versions.has(p)) { lost++; where.push(`not kept ${p}`) }
  ack(); for (const path of [...acked.keys()]) if (!isKept(path)) acked.delete(path)
  if (format === 'mirror' && k % 10 === 9) for (const f of readdirSync(join(data, 'm'), { recursive: true, encoding: 'utf8' }).filter((x) => x.endsWith('.gz'))) if (spawnSync('gzip', ['-t', join(data, 'm', f)]).status !== 0) gunzipBad++
}
console.log(JSON.stringify({ format, kills, killed, lost, said, gunzipBad, contents: [...acked.values()].flat().length, where }, null, 1))
