import './lead.css'
import type { Lead } from '../rows/row.ts'
import { PauseLine } from './pause-line.tsx'
import { CompressedSeam, PartSeam, ResumedSeam } from './seam.tsx'
import { TurnHead } from './turn-head.tsx'

/** What stands above a message: seams, pauses, the header of its turn. */
export function Leads({ lead }: { lead: Lead[] }) {
  return lead.map((item) => <LeadItem key={item.key} item={item} />)
}

function LeadItem({ item }: { item: Lead }) {
  switch (item.kind) {
    case 'compressed':
      return (
        <CompressedSeam
          inputBefore={item.inputBefore}
          inputAfter={item.inputAfter}
          part={item.part}
          file={item.file}
        />
      )
    case 'part':
      return <PartSeam part={item.part} reason={item.reason} file={item.file} />
    case 'resumed':
      return <ResumedSeam />
    case 'pause':
      return <PauseLine from={item.from} to={item.to} isNewDay={item.isNewDay} />
    case 'turn':
      return <TurnHead turn={item.turn} />
  }
}
