import { expect, test } from './fixtures/test.ts'
import { CARD_SEED, CARDS, CARDS_A_MESSAGE, CARDS_SESSION_ID } from './fixtures/write-cards-home.ts'

// tall, so that whole messages are drawn
test.use({ homeContent: 'cards', viewport: { width: 1440, height: 4_000 } })

test(`B13: cards of any tool that hold anything are drawn, open, under the policy of the server, seed ${CARD_SEED}`, async ({
  page,
}) => {
  for (let at = 0; at < CARDS / CARDS_A_MESSAGE; at++) {
    await page.goto(`/s/${CARDS_SESSION_ID}#m-answer-${at}`)
    const message = page.locator(`[id="m-answer-${at}"]`)
    await expect(message.locator('.call')).toHaveCount(CARDS_A_MESSAGE)
    await openAll()
    await expect(message.locator('.call')).toHaveCount(CARDS_A_MESSAGE)
    await expect(page.getByText('could not be drawn')).toHaveCount(0)
  }

  /** Opened content may contain more that can be opened. */
  async function openAll() {
    for (let round = 0; round < 6; round++) {
      await page.waitForTimeout(150)
      if ((await page.evaluate(OPEN_CLOSED)) === 0) return
    }
  }
})

const OPEN_CLOSED = `(() => {
  const closed = document.querySelectorAll('.conversation .call [aria-expanded="false"]:not([aria-haspopup])')
  for (const button of closed) button.click()
  return closed.length
})()`
