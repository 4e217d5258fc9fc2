// Kills the process at its n-th writing step (KILL_AT), in the middle of it where it is a write. STEPS_TO: writes how many there were.
const fs = require('node:fs'), { syncBuiltinESMExports } = require('node:module')
if (require('node:worker_threads').isMainThread) {
const at = Number(process.env.KILL_AT ?? 0), under = process.env.KILL_UNDER
let steps = 0
const die = () => { process.kill(process.pid, 'SIGKILL'); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0) }
const count = () => ++steps === at
const fds = new Set()
const open = fs.openSync
fs.openSync = (path, flags, ...rest) => { const mine = String(path).startsWith(under) && flags !== 'r' && flags !== undefined; if (mine && count()) die(); const fd = open(path, flags, ...rest); if (mine) fds.add(fd); return fd }
const write = fs.writeSync
fs.writeSync = (fd, bytes, ...rest) => { if (fds.has(fd) && count()) { if (typeof bytes !== 'string') { const [o = 0, l = bytes.length - o, p] = rest; if (l > 1) write(fd, bytes, o, l >> 1, p) } die() } return write(fd, bytes, ...rest) }
for (const name of ['fsyncSync', 'fdatasyncSync', 'ftruncateSync']) { const own = fs[name]; fs[name] = (fd, ...rest) => { if (fds.has(fd) && count()) die(); return own(fd, ...rest) } }
for (const name of ['renameSync', 'linkSync', 'rmSync', 'mkdirSync', 'copyFileSync', 'writeFileSync']) { const own = fs[name]; fs[name] = (path, ...rest) => { if ((String(path).startsWith(under) || String(rest[0]).startsWith(under)) && count()) die(); return own(path, ...rest) } }
syncBuiltinESMExports()
if (process.env.STEPS_TO) process.on('exit', () => { fs.appendFileSync(process.env.STEPS_TO, `${steps}\n`) })
}
