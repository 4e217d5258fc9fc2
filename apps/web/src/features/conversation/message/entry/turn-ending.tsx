import './turn-ending.css'
import { CircleX } from 'lucide-react'
import { useState } from 'react'
import { MachineText } from '../../../../content/text/machine-text.tsx'
import { Button } from '../../../../ui/buttons/button.tsx'
import type { Ending } from '../../rows/row.ts'
import { RawDialog } from '../actions/raw-dialog.tsx'
import { Entry } from './entry.tsx'

/** The line that closes a turn without answer: why, and the record that tells. */
export function TurnEnding({ ending: { text, recordKey } }: { ending: Ending }) {
  const [isRawOpen, setIsRawOpen] = useState(false)
  return (
    <Entry voice="cli" icon={CircleX} isLast>
      <p className="turn-ending">
        <b dir="auto">
          <MachineText text={text} />
        </b>
        <Button size="tiny" onClick={() => setIsRawOpen(true)}>
          Raw record
        </Button>
      </p>
      {isRawOpen && <RawDialog messageKey={recordKey} onClose={() => setIsRawOpen(false)} />}
    </Entry>
  )
}
