import './column-chart.css'
import type { ReactNode, SVGAttributes } from 'react'
import { ScrollRegion } from '../../../ui/frames/scroll-region.tsx'

type Props = {
  /** Of the box that scrolls, and of the drawing in it. */
  label: string
  name: string
  width: number
  height: number
  /** Nothing is drawn before the width is known; its place is kept. */
  isMeasured: boolean
  handlers: SVGAttributes<SVGSVGElement>
  children: ReactNode
}

/** A drawing over time that scrolls from its newest end where it is wider than its place. */
export function ColumnFrame({ label, name, width, height, isMeasured, handlers, children }: Props) {
  return (
    <ScrollRegion label={label} className="from-end">
      <div className="column-place" style={{ height }}>
        {isMeasured && (
          <svg
            className="column-chart"
            viewBox={`0 0 ${width} ${height}`}
            width={width}
            height={height}
            aria-label={name}
            {...handlers}
          >
            {children}
          </svg>
        )}
      </div>
    </ScrollRegion>
  )
}
