import type { LeftPlace } from '../../../lib/browser/left-place.ts'
import { messageKeyOf } from '../message/actions/message-link.ts'
import { STICKY_PX } from './sticky.ts'

/** The first message that stands below the bars; null where no conversation is drawn. */
export function placeInWindow(): LeftPlace | null {
  for (const message of document.querySelectorAll('.conversation article[id]')) {
    const { top, bottom } = message.getBoundingClientRect()
    const messageKey = messageKeyOf(message.id)
    if (messageKey !== null && bottom > STICKY_PX && top < window.innerHeight) return { messageKey, top }
  }
  return null
}
