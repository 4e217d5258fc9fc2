import './said.css'
import { SAID_ID } from '../../lib/browser/say.ts'

/** The line in which `say` says what was done. */
export function Said() {
  return <p id={SAID_ID} className="said" role="status" />
}
