// Loaded into every thread before its own code: the calls that the file FAULT_CONTROL names ({ code, part, calls }) fail
// for every path that holds `part`.
const fs = require('node:fs')
const { syncBuiltinESMExports } = require('node:module')

const control = process.env.FAULT_CONTROL
const real = { ...fs, promises: { ...fs.promises } }
/** Paths behind descriptors. */
const opened = new Map()

function check(path, call) {
  let wanted
  try {
    wanted = JSON.parse(real.readFileSync(control, 'utf8'))
  } catch {
    return
  }
  const { code, part, calls } = wanted
  if (!String(path).includes(part) || !calls.includes(call)) return
  throw Object.assign(new Error(`${code}: injected, ${call} '${path}'`), {
    code,
    errno: -5,
    syscall: call,
    path,
  })
}

fs.openSync = (path, ...rest) => {
  check(path, 'open')
  const descriptor = real.openSync(path, ...rest)
  opened.set(descriptor, String(path))
  return descriptor
}
fs.readSync = (descriptor, ...rest) => {
  check(opened.get(descriptor) ?? '', 'read')
  return real.readSync(descriptor, ...rest)
}
fs.promises.open = async (path, ...rest) => {
  check(path, 'open')
  const handle = await real.promises.open(path, ...rest)
  const read = handle.read.bind(handle)
  handle.read = async (...how) => {
    check(path, 'read')
    return read(...how)
  }
  return handle
}
for (const [name, call] of [
  ['readdir', 'readdir'],
  ['stat', 'stat'],
  ['lstat', 'stat'],
  ['readFile', 'read'],
]) {
  fs[`${name}Sync`] = (path, ...rest) => {
    check(path, call)
    return real[`${name}Sync`](path, ...rest)
  }
  fs.promises[name] = async (path, ...rest) => {
    check(path, call)
    return real.promises[name](path, ...rest)
  }
}
syncBuiltinESMExports()
