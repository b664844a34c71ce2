// Bars as SVG. Colours are variables of the page, so that one picture serves the light and the dark look. Every bar has
// its numbers as a title, which a browser shows without script, and its place, by which script finds it.
import { BarChart } from 'echarts/charts'
import { GridComponent } from 'echarts/components'
import { init, use } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import { countText, numberText, shareText } from '../../../formats/charts/index.js'
import {
  cleanLabel,
  type Drawing,
  type DrawingStyle,
  layoutOf,
  type Measure,
  wrapped,
} from '../../../formats/drawing/index.js'
import { escapeAttribute } from '../../../formats/xml/index.js'

use([BarChart, GridComponent, SVGRenderer])

/** Short, for an axis: 1.2K. */
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

const valueText = (measure: Measure, value: number): string => {
  if (measure === 'share') return shareText(value, 1)
  return measure === 'mean' ? numberText(value) : countText(value)
}

const style: DrawingStyle = {
  ink: 'var(--ink)',
  faint: 'var(--faint)',
  line: 'var(--line)',
  seriesColor: (place) => `var(--chart-${place + 1})`,
  valueText,
  axisText: (measure, value) => (measure === 'share' ? shareText(value, 1) : compact.format(value)),
}

const tipOf = (drawing: Drawing, series: number, place: number): string => {
  const { name = '', values = [] } = drawing.series[series] ?? {}
  const value = values[place]
  const parts = [drawing.categories[place] ?? '', ...(drawing.series.length > 1 ? [name] : [])]
  const label = parts.map((part) => wrapped(part, 200, 1)).join(' · ')
  return `${cleanLabel(label)}: ${typeof value === 'number' ? valueText(drawing.measure, value) : '–'}`
}

/** Within a `<` nothing is looked for twice: labels are what senders wrote. */
const path = /<path ([^<>]*)><\/path>/g
const mark = / ecmeta_series_index="(\d+)" ecmeta_data_index="(\d+)"/

const withoutStyles = (svg: string): string => {
  const [first = '', ...rest] = svg.split('<style')
  return first + rest.map((part) => part.slice(part.indexOf('</style>') + '</style>'.length)).join('')
}

/** Places and titles in place of the library's own marks and style. */
const titled = (svg: string, drawing: Drawing): string => {
  const plain = withoutStyles(svg).replace(/ class="zr[^"]*"/g, '')
  return plain.replace(path, (all, attributes: string) => {
    const [, series, place] = mark.exec(` ${attributes}`) ?? []
    if (series === undefined || place === undefined) return all
    const rest = ` ${attributes}`.replace(/ ecmeta_\w+="[^"]*"/g, '').trim()
    const tip = escapeAttribute(tipOf(drawing, Number(series), Number(place)))
    return `<path class="bar" data-place="${place}" data-series="${series}" ${rest}><title>${tip}</title></path>`
  })
}

export const render = (drawing: Drawing, width: number): string => {
  const { height, option } = layoutOf(drawing, width, style)
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height })
  try {
    chart.setOption({ animation: false, textStyle: { fontFamily: 'system-ui, sans-serif' }, ...option })
    return titled(chart.renderToSVGString(), drawing)
  } finally {
    chart.dispose()
  }
}
