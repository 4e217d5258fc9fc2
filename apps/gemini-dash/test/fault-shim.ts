/**
 * Runs inside a program: throws the error named in the file FAULT_CONTROL whenever a path containing the text there is opened, read or
 * listed.
 */
export const FAULT_SHIM = `
const fs = require('node:fs')
const { syncBuiltinESMExports } = require('node:module')
const control = process.env.FAULT_CONTROL
const real = { ...fs }
if (process.env.RUN_AS && process.getuid() === 0) process.setuid(Number(process.env.RUN_AS))
const opened = new Map()
function check(path, call) {
  if (!real.existsSync(control)) return
  const { code, part, calls } = JSON.parse(real.readFileSync(control, 'utf8'))
  if (String(path).includes(part) && calls.includes(call))
    throw Object.assign(new Error(code + ': injected, ' + call), { code, errno: -5, syscall: call })
}
fs.openSync = (path, ...rest) => {
  check(path, 'open')
  const descriptor = real.openSync(path, ...rest)
  opened.set(descriptor, String(path))
  return descriptor
}
const promised = fs.promises.open
fs.promises.open = async (path, ...rest) => {
  check(path, 'open')
  const handle = await promised.call(fs.promises, path, ...rest)
  opened.set(handle.fd, String(path))
  return handle
}
fs.readSync = (descriptor, ...rest) => {
  check(opened.get(descriptor) ?? '', 'read')
  return real.readSync(descriptor, ...rest)
}
fs.readdirSync = (path, ...rest) => {
  check(path, 'readdir')
  return real.readdirSync(path, ...rest)
}
syncBuiltinESMExports()
`
