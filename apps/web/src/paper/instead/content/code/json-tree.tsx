import { MachineText } from '../../../../content/text/machine-text.tsx'
import { ScrollRegion } from '../../../../ui/frames/scroll-region.tsx'

/** Any JSON value as it is written: the page's tree opens by a script. */
export function JsonTree({ value, label }: { value: unknown; label: string }) {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')
  return (
    <ScrollRegion label={label} className="json-region">
      <pre dir="ltr">
        <MachineText text={text} />
      </pre>
    </ScrollRegion>
  )
}
