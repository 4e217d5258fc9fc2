// A home as CLI 0.30 writes it: each session one pretty-printed document, written anew at each event; looks after each 5 events.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
const T = process.env.TRIAL_FOLDER, H = `${T}/h030/.gemini`, CLI = process.env.TRIAL_PROGRAM
rmSync(`${T}/h030`, { recursive: true, force: true }); mkdirSync(H, { recursive: true })
const files = readdirSync(`${T}/medium/.gemini/tmp`, { recursive: true }).filter((n) => /chats\/session.*\.json$/.test(n)).map((n) => join(T, 'medium/.gemini/tmp', n)).sort()
const picked = files.filter((f) => { const s = statSync(f).size; return s > 200e3 && s < 1.5e6 }).slice(0, Number(process.argv[2] ?? 6))
const run = (args) => { const r = spawnSync(process.execPath, args, { encoding: 'utf8', env: { ...process.env, HOME: `${T}/fakehome` } }); if (r.status !== 0) throw new Error(r.stderr + r.stdout); return JSON.parse(r.stdout) }
let looks = 0, written = 0, t, m
const stamp = (i) => new Date(Date.UTC(2026, 10, 20, 10, 0, i)).toISOString()
const look = () => { looks++
  t = run([CLI, 'keep', looks === 1 ? 'on' : 'now', ...(looks === 1 ? ['--max-size=none'] : []), '--json', '--home', H, '--data-dir', `${T}/h030/today`])
  m = run([`${T}/keep.mjs`, H, `${T}/h030/mirror`]) }
for (const [n, file] of picked.entries()) {
  const doc = JSON.parse(readFileSync(file, 'utf8'))
  const dir = join(H, 'tmp', `project-${n % 2}`, 'chats'); mkdirSync(dir, { recursive: true })
  writeFileSync(join(H, 'tmp', `project-${n % 2}`, '.project_root'), `/work/p${n % 2}`)
  const path = join(dir, file.split('/').at(-1)); const all = doc.messages; let events = 0, typed = []
  const write = (messages) => { const text = JSON.stringify({ ...doc, lastUpdated: stamp(events), messages }, null, 2); writeFileSync(path, text); written += text.length; events++; if (events % 5 === 0) look() }
  for (let i = 1; i <= all.length; i++) {
    const last = all[i - 1]
    // a gemini message comes first without tokens and calls, then with them
    if (last.type === 'gemini' && last.tokens) { const { tokens, toolCalls, ...bare } = last; write([...all.slice(0, i - 1), bare]); if (toolCalls) write([...all.slice(0, i - 1), { ...bare, tokens }]) }
    write(all.slice(0, i))
    if (last.type === 'user') { typed.push({ sessionId: doc.sessionId, messageId: typed.length, type: 'user', message: String(last.content).slice(0, 200), timestamp: last.timestamp }); writeFileSync(join(H, 'tmp', `project-${n % 2}`, 'logs.json'), JSON.stringify(typed, null, 2)) }
  }
  // one of them is rewound, one has its large outputs masked: both lose something
  if (n === 1) write(all.slice(0, Math.floor(all.length / 2)))
  if (n === 2) write(all.map((x) => ({ ...x, ...(x.toolCalls && { toolCalls: x.toolCalls.map((c) => ({ ...c, result: [{ functionResponse: { id: c.id, name: c.name, response: { output: '<tool_output_masked>' } } }] })) }) })))
  look()
  console.log(n, all.length, 'messages', 'looks', looks, 'written', written, 'today', t.storedBytes, 'mirror', m.storedBytes, 'former', m.former, m.damages.length)
}
console.log(JSON.stringify({ looks, written, rawNow: m.rawBytes, todayRaw: t.rawBytes, today: t.storedBytes, mirror: m.storedBytes, ratio: m.storedBytes / t.storedBytes, former: m.former }))
