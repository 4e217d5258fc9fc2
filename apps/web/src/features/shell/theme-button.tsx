import { Moon, Sun, SunMoon } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { type Theme, theme } from '../../lib/browser/theme.ts'
import { IconButton } from '../../ui/buttons/icon-button.tsx'

const ICONS = { system: SunMoon, light: Sun, dark: Moon }
const NEXT: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' }

/** Steps through system, light and dark. */
export function ThemeButton() {
  const current = useSyncExternalStore(theme.subscribe, theme.get)
  return (
    <IconButton icon={ICONS[current]} label={`Theme: ${current}`} onClick={() => theme.set(NEXT[current])} />
  )
}
