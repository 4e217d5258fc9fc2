/**
 * V8 collects garbage on allocation, and an idle thread allocates nothing. Compacts the live objects, so that whole pages are freed. Blocks
 * this thread for about a millisecond per live megabyte.
 */
export function giveBackMemory(): void {
  // Not imported, since short-lived commands would load them for nothing.
  const { setFlagsFromString } = process.getBuiltinModule('node:v8')
  const { runInNewContext } = process.getBuiltinModule('node:vm')
  setFlagsFromString('--expose-gc')
  setFlagsFromString('--compact-on-every-full-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect()
  setFlagsFromString('--no-compact-on-every-full-gc')
}
