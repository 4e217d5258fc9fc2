import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { StoredImage } from '../src/content/stored-files.tsx'

describe('what is read stands still', () => {
  test('when a picture comes: it takes the room that was kept for it, to the pixel', async () => {
    await page.viewport(800, 600)
    // 456.5 px wide at its maximum height
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
