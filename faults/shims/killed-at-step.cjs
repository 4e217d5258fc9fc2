// Loaded into every thread before its own code: the process kills itself (SIGKILL) at the step KILL_AT of what it changes below
// KILL_BELOW (beginnings of paths, with `:` between). Every change is a step, and the middle of what is written is one more. The steps are
// counted in the file KILL_COUNT, one byte each, as threads count together.
const fs = require('node:fs')
const { syncBuiltinESMExports } = require('node:module')

const { KILL_AT, KILL_BELOW = '', KILL_COUNT } = process.env
const real = { ...fs }
const places = KILL_BELOW.split(':')
/** Paths behind descriptors. */
const opened = new Map()
/** Calls of fs that fs itself makes are none of the program's. */
let depth = 0

function step() {
  real.appendFileSync(KILL_COUNT, '.')
  if (real.statSync(KILL_COUNT).size === Number(KILL_AT)) process.kill(process.pid, 'SIGKILL')
}

const isBelow = (path) => places.some((place) => String(path).startsWith(place))
const pathOf = (target) => (typeof target === 'number' ? opened.get(target) : target) ?? ''

function quietly(work) {
  depth += 1
  try {
    return work()
  } finally {
    depth -= 1
  }
}

/** `torn`: writes a part. */
function wrap(name, torn) {
  fs[name] = (...args) => {
    if (depth > 0 || ![args[0], args[1]].some((each) => isBelow(pathOf(each))))
      return quietly(() => real[name](...args))
    step()
    if (torn !== undefined) quietly(() => whenKilledNext(() => torn(args)))
    return quietly(() => real[name](...args))
  }
}

/** The middle of a write: only who dies of it writes it. */
function whenKilledNext(tear) {
  const next = real.statSync(KILL_COUNT).size + 1
  if (next === Number(KILL_AT)) tear()
  step()
}

const halfOf = (data) => {
  const bytes =
    typeof data === 'string' ? Buffer.from(data) : Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  return bytes.subarray(0, bytes.length >> 1)
}

wrap('writeFileSync', ([target, data, options]) => real.writeFileSync(target, halfOf(data), options))
wrap('appendFileSync', ([target, data, options]) => real.appendFileSync(target, halfOf(data), options))
wrap('writeSync', ([descriptor, data, offset = 0, length = data.length - offset, position]) =>
  real.writeSync(descriptor, data, offset, length >> 1, position),
)
for (const name of [
  ...['mkdirSync', 'rmdirSync', 'rmSync', 'unlinkSync', 'renameSync', 'linkSync', 'copyFileSync'],
  ...['utimesSync', 'truncateSync', 'ftruncateSync', 'fsyncSync'],
])
  wrap(name)

fs.openSync = (path, flags, ...rest) => {
  const isChanging = typeof flags === 'string' ? /[wa+]/.test(flags) : ((flags ?? 0) & 3) !== 0
  if (depth === 0 && isChanging && isBelow(path)) step()
  const descriptor = quietly(() => real.openSync(path, flags, ...rest))
  opened.set(descriptor, String(path))
  return descriptor
}

// What streams call.
fs.open = (path, flags, ...rest) => {
  const isChanging = typeof flags === 'string' && /[wa+]/.test(flags)
  if (isChanging && isBelow(path)) step()
  const done = rest.pop()
  real.open(path, flags, ...rest, (error, descriptor) => {
    if (error === null) opened.set(descriptor, String(path))
    done(error, descriptor)
  })
}
fs.write = (descriptor, ...rest) => {
  if (isBelow(pathOf(descriptor))) step()
  real.write(descriptor, ...rest)
}
for (const name of ['writeFile', 'rename', 'rm', 'mkdir', 'unlink']) {
  const promised = fs.promises[name]
  fs.promises[name] = (...args) => {
    if (isBelow(args[0])) step()
    return promised.call(fs.promises, ...args)
  }
}
syncBuiltinESMExports()
