import type { HomeManifest } from '../../../../fixtures/large/home-manifest.ts'
import type { Runtime } from '../program/runtime.ts'
import type { Figure } from './figure.ts'

/** The figures of one Node.js on one home. */
export interface Measurement {
  runtime: Runtime
  manifest: HomeManifest
  figures: Figure[]
}

export function describeHome(manifest: HomeManifest): string {
  const { sessions, subagents, bytes, messages, supersededMessages, seed } = manifest
  return `${sessions} sessions and ${subagents} of sub-agents, ${(bytes / 1e6).toFixed(0)} MB, ${messages + supersededMessages} messages, seed ${seed}`
}
