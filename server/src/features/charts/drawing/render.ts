// Bars as SVG. Colours are variables of the page, so that one picture serves the light and the dark look. Every bar has
// its numbers as a title, which a browser shows without script, and its place, by which script finds it.
import { BarChart, type BarSeriesOption } from 'echarts/charts'
import { GridComponent } from 'echarts/components'
import { type EChartsCoreOption, init, use } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import { countText, numberText, shareText } from '../../../formats/charts/index.js'
import { escapeAttribute } from '../../../formats/xml/index.js'
import { cleanLabel, wrapped } from './labels.js'
import type { Drawing } from './messages.js'

use([BarChart, GridComponent, SVGRenderer])

const fontSize = 13
/** Of an average letter at that size. */
const letterWidth = 7
const lineHeight = 16
const ink = 'var(--ink)'
const faint = 'var(--faint)'
const line = 'var(--line)'

const textOf = ({ measure }: Drawing, value: number): string => {
  if (measure === 'share') return shareText(value, 1)
  return measure === 'mean' ? numberText(value) : countText(value)
}

/** Short, for an axis: 1.2K. */
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

const axisText = ({ measure }: Drawing, value: number): string =>
  measure === 'share' ? shareText(value, 1) : compact.format(value)

const seriesOf = (drawing: Drawing, hasRoom: boolean): BarSeriesOption[] =>
  drawing.series.map(({ values }, place) => ({
    type: 'bar',
    // Nothing is no bar, not even the thinnest.
    data: values.map((value) => (value === null || value === 0 || !Number.isFinite(value) ? '-' : value)),
    ...(drawing.isStacked && { stack: 'all' }),
    barMaxWidth: drawing.direction === 'across' ? 26 : 64,
    ...(drawing.isContinuous && { barCategoryGap: '6%' }),
    ...(drawing.isStacked ? {} : { barMinHeight: 1 }),
    itemStyle: { color: `var(--series-${place})`, borderRadius: drawing.isStacked ? 0 : 2 },
    emphasis: { disabled: true },
    label: {
      show: hasRoom,
      position: drawing.direction === 'across' ? 'right' : 'top',
      color: ink,
      fontSize: 12,
      formatter: ({ value }) => (typeof value === 'number' ? textOf(drawing, value) : ''),
    },
  }))

/** The library takes letters that are not Latin for twice as wide as they are, and would make room for them. */
const asGiven = { containLabel: false, outerBoundsMode: 'none' } as const

interface Layout {
  readonly height: number
  readonly option: EChartsCoreOption
}

const valueAxis = (drawing: Drawing, ticks: number) => ({
  type: 'value',
  splitNumber: ticks,
  ...(drawing.measure === 'count' && { minInterval: 1 }),
  axisLabel: { color: faint, fontSize: 12, formatter: (value: number) => axisText(drawing, value) },
  axisLine: { show: false },
  axisTick: { show: false },
  splitLine: { lineStyle: { color: line } },
})

const categoryAxis = (labels: readonly string[], axisLabel: object) => ({
  type: 'category',
  data: labels,
  axisLabel: { color: ink, fontSize, lineHeight, ...axisLabel },
  axisLine: { lineStyle: { color: line } },
  axisTick: { show: false },
})

/** Categories below each other; a third of the width is for their words. */
const across = (drawing: Drawing, width: number): Layout => {
  const room = Math.round(Math.min(240, width * 0.36))
  const labels = drawing.categories.map((text) => wrapped(text, Math.floor((room - 12) / letterWidth), 2))
  const barsEach = drawing.isStacked ? 1 : drawing.series.length
  const each = Math.max(40, 12 + barsEach * 18)
  const numberRoom = drawing.isStacked ? 14 : 64
  return {
    height: labels.length * each + 32,
    option: {
      grid: { left: room, right: numberRoom, top: 4, bottom: 26, ...asGiven },
      yAxis: { ...categoryAxis(labels, { interval: 0 }), inverse: true },
      xAxis: valueAxis(drawing, width < 500 ? 3 : 5),
      series: seriesOf(drawing, !drawing.isStacked),
    },
  }
}

/** Categories beside each other, as many of their labels as there is room for. */
const up = (drawing: Drawing, width: number): Layout => {
  const labels = drawing.categories.map((text) => wrapped(text, 14, 1))
  const longest = Math.max(1, ...labels.map(({ length }) => length))
  const isRoomy = (width - 70) / Math.max(labels.length, 1) > 34
  const step = Math.ceil(((longest + 1.5) * letterWidth) / ((width - 70) / Math.max(labels.length, 1)))
  return {
    height: width < 500 ? 260 : 340,
    option: {
      grid: { left: 46, right: 18, top: 24, bottom: 28, ...asGiven },
      xAxis: categoryAxis(labels, { interval: Math.max(0, step - 1), hideOverlap: true }),
      yAxis: valueAxis(drawing, 4),
      series: seriesOf(drawing, isRoomy && !drawing.isStacked && drawing.series.length === 1),
    },
  }
}

const tipOf = (drawing: Drawing, series: number, place: number): string => {
  const { name = '', values = [] } = drawing.series[series] ?? {}
  const value = values[place]
  const parts = [drawing.categories[place] ?? '', ...(drawing.series.length > 1 ? [name] : [])]
  const label = parts.map((part) => wrapped(part, 200, 1)).join(' · ')
  return `${cleanLabel(label)}: ${typeof value === 'number' ? textOf(drawing, value) : '–'}`
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
  const { height, option } = (drawing.direction === 'across' ? across : up)(drawing, width)
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height })
  try {
    chart.setOption({ animation: false, textStyle: { fontFamily: 'system-ui, sans-serif' }, ...option })
    return titled(chart.renderToSVGString(), drawing)
  } finally {
    chart.dispose()
  }
}
