import { ImageOff } from 'lucide-react'
import { Icon } from '../../ui/signs/icon.tsx'

/** Pictures of a transcript are never fetched: asking for one would tell its host who reads what. */
export function RemoteImage({ src, alt }: { src?: string | undefined; alt?: string | undefined }) {
  return (
    <span className="remote-image">
      <Icon of={ImageOff} small />
      <span dir="auto">{alt || 'Image'}</span> <span className="dim">not loaded{placeOf(src)}</span>
    </span>
  )
}

function placeOf(src: string | undefined): string {
  try {
    const url = new URL(src ?? '')
    return url.host === '' ? '' : ` from ${url.host}`
  } catch {
    return ''
  }
}
