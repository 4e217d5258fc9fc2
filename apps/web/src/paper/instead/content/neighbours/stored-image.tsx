import { MachineText } from '../../../../content/text/machine-text.tsx'
import { formatSize } from '../../../../lib/figures/format.ts'

/** What a browser may draw without running anything. */
const RASTER_TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'])
const BASE64 = /^[A-Za-z0-9+/\s]+={0,2}\s*$/

interface Props {
  mimeType: string
  /** base64; null where it left by its name only. */
  data?: string | null
  sizeBytes: number | null
  uri?: string | null
  alt?: string
}

/** A picture that lies in the document itself; anything else is named. */
export function StoredImage({ mimeType, data = null, sizeBytes, uri, alt }: Props) {
  const facts = [mimeType || 'unknown type', sizeBytes === null ? null : formatSize(sizeBytes), uri]
    .filter(Boolean)
    .join(', ')
  if (data === null || !RASTER_TYPES.has(mimeType) || !BASE64.test(data))
    return (
      <p className="stored-file dim">
        <MachineText text={`${facts}, not in this file`} />
      </p>
    )
  return (
    <figure className="stored-image">
      <img src={`data:${mimeType};base64,${data}`} alt={alt ?? 'Picture in the session'} loading="lazy" />
      <figcaption>
        <MachineText text={facts} />
      </figcaption>
    </figure>
  )
}
