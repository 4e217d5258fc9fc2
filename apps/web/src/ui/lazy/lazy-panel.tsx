import type { ComponentType } from 'react'
import { lazyPart } from './lazy-part.tsx'
import { PartFailed } from './part-failed.tsx'

/** A panel whose program is loaded when it is first drawn. Where that fails only the panel says so. */
export function lazyPanel<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazyPart(load, (failure) => <PartFailed {...failure} />)
}
