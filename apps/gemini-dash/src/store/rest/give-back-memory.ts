import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * What was read on the way is garbage now, often more than what is kept; but V8 collects when memory is asked for, and
 * a program that rests asks for none. Takes about a millisecond for each megabyte that is kept, and some more where what
 * is kept moves together, so that whole pages come free.
 */
export function giveBackMemory({ isCompacting = false } = {}): void {
  setFlagsFromString('--expose-gc')
  if (isCompacting) setFlagsFromString('--compact-on-every-full-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect()
  if (isCompacting) setFlagsFromString('--no-compact-on-every-full-gc')
}
