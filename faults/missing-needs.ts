import { spawnSync } from 'node:child_process'
import type { FaultPart } from './fault-part.ts'

/** Why a part cannot run here; null where it can. As root on Linux nothing may be missing but what is not installed. */
export function missingNeeds({ needs }: FaultPart): { reason: string; isFailure: boolean } | null {
  const isLinux = process.platform === 'linux'
  const isFailure = isLinux && process.getuid?.() === 0
  if (needs.includes('linux') && !isLinux) return { reason: 'it needs Linux', isFailure }
  if (needs.includes('user namespace') && spawnSync('unshare', ['-Urm', 'true']).status !== 0)
    return { reason: 'no user may have a namespace of their own here (unshare -Urm)', isFailure }
  if (needs.includes('strace') && spawnSync('strace', ['-V']).status !== 0)
    return { reason: 'strace is not installed', isFailure: false }
  return null
}
