import { createContext } from 'react'

/** Opens the drawer of the surrounding `<RailFrame>`. */
export const OpenDrawer = createContext<() => void>(() => undefined)
