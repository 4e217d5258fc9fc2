import { afterEach, describe, expect, test } from 'vitest'
import { cleanup, render } from 'vitest-browser-react'
import { StoredImage } from '../src/content/neighbours/stored-image.tsx'
import { LONG } from './ask-server.ts'
import { openSession, whenRead } from './open-page.tsx'

afterEach(() => cleanup())

describe('what is read stands still', () => {
  test('when the bar above it begins to name its prompt', async () => {
    await openSession(LONG)
    const top = () =>
      (document.querySelector('.conversation')?.getBoundingClientRect().top ?? 0) + window.scrollY
    const before = top()
    // a place where the prompt itself is not in sight: how far down that is depends on fonts
    let place = 3_800
    const isStuck = () => {
      if (document.querySelector('.place-bar.stuck') !== null) return true
      place += 200
      window.scrollTo({ top: place, behavior: 'instant' })
      return false
    }
    await expect.poll(isStuck, { interval: 250 }).toBe(true)
    await whenRead()
    expect(top()).toBe(before)
  })

  test('when a picture comes: it takes the room that was kept for it, to the pixel', async () => {
    // as high as it may be it is 456.5 px wide
    const pixelSize = { width: 1_000, height: 701 }
    const canvas = Object.assign(document.createElement('canvas'), pixelSize)
    const { container } = await render(
      <StoredImage mimeType="image/png" href={canvas.toDataURL()} sizeBytes={1} pixelSize={pixelSize} />,
    )
    const picture = container.querySelector('img')
    await expect.poll(() => picture?.naturalWidth).toBe(pixelSize.width)
    const { width, height } = picture?.getBoundingClientRect() ?? {}
    expect({ width, height }).toEqual({ width: 456, height: 320 })
  })
})
