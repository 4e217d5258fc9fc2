import './pasted-images.css'
import type { PastedImage } from 'gemini-sessions'
import { ImageOff } from 'lucide-react'
import { useContext } from 'react'
import { NeighbourContext } from '../../../../content/neighbours/neighbour-context.ts'
import { neighbourHref } from '../../../../content/neighbours/neighbour-href.ts'
import { StoredImage } from '../../../../content/neighbours/stored-image.tsx'
import { MachineText } from '../../../../content/text/machine-text.tsx'
import { Icon } from '../../../../ui/signs/icon.tsx'

/** Pictures from the clipboard that a prompt names; the CLI keeps them beside its sessions. */
export function PastedImages({ messageKey }: { messageKey: string }) {
  const { images } = useContext(NeighbourContext)
  const own = images.filter((image) => image.messageKey === messageKey)
  if (own.length === 0) return null
  return (
    <div className="pasted-images">
      {own.map((image) => (
        <Pasted key={image.name} image={image} />
      ))}
    </div>
  )
}

function Pasted({ image: { name, file, pixelSize } }: { image: PastedImage }) {
  const { sessionRef } = useContext(NeighbourContext)
  if (file === null) {
    return (
      <p className="pasted-gone">
        <Icon of={ImageOff} small />
        <span>
          The picture{' '}
          <span className="mono" dir="ltr">
            <MachineText text={name} />
          </span>{' '}
          was pasted here and is no longer there.
        </span>
      </p>
    )
  }
  return (
    <StoredImage
      mimeType={mimeTypeOf(name)}
      href={neighbourHref(sessionRef, file)}
      sizeBytes={file.sizeBytes}
      pixelSize={pixelSize}
      alt={`Pasted picture ${name}`}
    />
  )
}

/** By name, for the caption; the server looks at the bytes. */
function mimeTypeOf(name: string): string {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return `image/${extension === 'jpg' ? 'jpeg' : extension}`
}
