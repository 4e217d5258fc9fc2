import { appendFileSync, closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { Archive, ArchiveWriter, takeFile, readVersion } from '../src/index.ts'
import { Mirror, sumOf, MOST_SMALL_MEMBERS } from './mirror.ts'
import { MEMBER_BYTES } from './gzip-members.ts'

const T = `${process.env['TRIAL_FOLDER']}/appends`
const from = process.argv[2]! // a JSONL of the corpus
const base = Number(process.argv[3] ?? 0), size = Number(process.argv[4] ?? 500)
rmSync(T, { recursive: true, force: true }); mkdirSync(T, { recursive: true })
const words = readFileSync(from, 'utf8')
const log = join(T, 'session.jsonl')
writeFileSync(log, words.slice(0, base))
const archive = new Archive(join(T, 'today'))
const folder = join(T, 'mirror')
let at = base
async function today() {
  const nowMs = Date.now(), writer = new ArchiveWriter(archive, { maxBytes: Infinity, nowMs })
  const d = openSync(log, 'r')
  try { const note = await takeFile(writer, { descriptor: d, isLog: true }, { file: writer.file('tmp/p/chats/session.jsonl', {}), isCertain: false }, new Date(nowMs).toISOString()); if (note) await writer.note(note); await writer.commit() } finally { closeSync(d); await writer.close(nowMs) }
}
async function mirror() {
  const m = new Mirror(folder); m.open()
  const d = openSync(log, 'r')
  try { await m.take({ path: 'tmp/p/chats/session.jsonl', label: { kind: 'session', sessionId: 'x' }, descriptor: d, isLog: true }, new Date().toISOString()) } finally { closeSync(d) }
  const e = m.find('tmp/p/chats/session.jsonl')!
  if (e.members.filter((x) => x.rawBytes < MEMBER_BYTES).length >= MOST_SMALL_MEMBERS) await m.join(e.path)
  m.commit(); return m
}
await today(); await mirror()
archive.saveIndex(0)
const t0 = archive.storedBytes(), m0 = new Mirror(folder); m0.open(); const s0 = m0.storedBytes
let tCpu = 0, mCpu = 0, peak = 0
for (let i = 0; i < 1000; i++) {
  const text = JSON.stringify({ id: `${i}`.padStart(36, '0'), type: 'gemini', content: words.slice(at, at + size).replaceAll(/[\n"\\]/g, ' ') })
  at = (at + size) % (words.length - size)
  appendFileSync(log, text.slice(0, size - 3) + '"}\n')
  let c = process.cpuUsage(); await today(); let d = process.cpuUsage(c); tCpu += d.user + d.system
  c = process.cpuUsage(); const m = await mirror(); d = process.cpuUsage(c); mCpu += d.user + d.system
  peak = Math.max(peak, m.storedBytes - s0)
}
const raw = statSync(log).size
archive.saveIndex(0)
const m = new Mirror(folder); m.open()
const before = m.storedBytes
await m.join('tmp/p/chats/session.jsonl'); m.commit()
const got = Buffer.concat([...m.read(m.find('tmp/p/chats/session.jsonl')!)])
console.log({ raw, appended: 1000 * size, todayAdded: archive.storedBytes() - t0, todayPacks: archive.packs.sizeBytes(), mirrorAdded: before - s0, peak, afterQuiet: m.storedBytes - s0, equal: got.equals(readFileSync(log)), cpuTodayMs: tCpu / 1e3, cpuMirrorMs: mCpu / 1e3, damages: m.damages, index: m.index.storedBytes })
