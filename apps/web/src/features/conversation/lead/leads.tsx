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
      return <CompressedSeam {...item} />
    case 'part':
      return <PartSeam {...item} />
    case 'resumed':
      return <ResumedSeam />
    case 'pause':
      return <PauseLine {...item} />
    case 'turn':
      return <TurnHead turn={item.turn} />
  }
}
