import './code.css'
import { useMemo } from 'react'
import { JsonView } from 'react-json-view-lite'
import { ScrollRegion } from '../ui/scroll-region.tsx'
import { openLevels } from './lazy-blocks.tsx'
import { MachineText, showControls } from './machine-text.tsx'

const look = {
  container: 'json-tree',
  basicChildStyle: 'json-child',
  childFieldsContainer: 'json-children',
  label: 'json-label',
  clickableLabel: 'json-label',
  nullValue: 'json-nothing',
  undefinedValue: 'json-nothing',
  stringValue: 'json-string',
  booleanValue: 'json-number',
  numberValue: 'json-number',
  otherValue: 'json-string',
  punctuation: 'json-punctuation',
  expandIcon: 'json-expand',
  collapseIcon: 'json-collapse',
  collapsedContent: 'json-collapsed',
  noQuotesForStringValues: false,
  quotesForFieldNames: false,
  ariaLables: { collapseJson: 'Close', expandJson: 'Open' },
}

/** Any JSON value as a tree. Strings and other primitives are shown as text. */
export default function JsonTreeView({ value, label }: { value: unknown; label: string }) {
  const shown = useMemo(() => showControls(value), [value])
  const levels = useMemo(() => openLevels(value), [value])
  return (
    <ScrollRegion label={label} className="json-region">
      {typeof shown === 'object' && shown !== null ? (
        <JsonView data={shown} style={look} aria-label={label} shouldExpandNode={(level) => level < levels} />
      ) : (
        <pre>
          <MachineText text={typeof value === 'string' ? value : JSON.stringify(value)} />
        </pre>
      )}
    </ScrollRegion>
  )
}
