import type { WasteKind } from '../../model/insights/waste.ts'
import type { CallTrace } from './call-trace.ts'

/** Calls that belong together, before it is settled to which finding each counts. */
export interface Suspicion {
  kind: WasteKind
  /** In order. */
  calls: { trace: CallTrace; isExtra: boolean }[]
}
