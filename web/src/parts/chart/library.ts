// The drawing library, of which a tenth is used. It is loaded with the first chart that comes into sight.
import { BarChart } from 'echarts/charts'
import { GridComponent } from 'echarts/components'
import { type ECharts, init, use } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'

use([BarChart, GridComponent, SVGRenderer])

export type Chart = ECharts

export const openChart = (element: HTMLElement, size: { width: number; height: number }): Chart =>
  init(element, null, { renderer: 'svg', ...size })
