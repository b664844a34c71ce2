// From figures to what the drawing library takes. Colours and words come from whoever draws: variables of a page, so that one
// picture serves the light and the dark look, and numbers as the reader writes them.
import { wrapped } from './labels.js'

/** What a bar is as long as. */
export type Measure = 'count' | 'share' | 'mean'

/** What is needed to draw; plain data, handed from thread to thread. */
export interface Drawing {
  /** `across`: categories below each other, with room for words. `up`: beside each other, for numbers and times. */
  readonly direction: 'across' | 'up'
  readonly categories: readonly string[]
  readonly series: readonly { readonly name: string; readonly values: readonly (number | null)[] }[]
  readonly isStacked: boolean
  /** No gaps between the bars: ranges that follow on each other. */
  readonly isContinuous: boolean
  readonly measure: Measure
}

export interface DrawingStyle {
  readonly ink: string
  readonly faint: string
  readonly line: string
  seriesColor(place: number): string
  /** A value beside its bar. */
  valueText(measure: Measure, value: number): string
  /** Short, for an axis: 1.2K. */
  axisText(measure: Measure, value: number): string
  /** For languages that run from right to left. */
  readonly isMirrored?: boolean
}

export interface Layout {
  readonly height: number
  readonly option: Readonly<Record<string, unknown>>
}

const fontSize = 13
/** Of an average letter at that size. */
const letterWidth = 7
const lineHeight = 16

/** The library takes letters that are not Latin for twice as wide as they are, and would make room for them. */
const asGiven = { containLabel: false, outerBoundsMode: 'none' } as const

const labelPlace = ({ direction }: Drawing, isMirrored: boolean): string => {
  if (direction === 'up') return 'top'
  return isMirrored ? 'left' : 'right'
}

const seriesOf = (drawing: Drawing, style: DrawingStyle, hasRoom: boolean) =>
  drawing.series.map(({ values }, place) => ({
    type: 'bar',
    // Nothing is no bar, not even the thinnest.
    data: values.map((value) => (value === null || value === 0 || !Number.isFinite(value) ? '-' : value)),
    ...(drawing.isStacked && { stack: 'all' }),
    barMaxWidth: drawing.direction === 'across' ? 26 : 64,
    ...(drawing.isContinuous && { barCategoryGap: '6%' }),
    ...(drawing.isStacked ? {} : { barMinHeight: 1 }),
    itemStyle: { color: style.seriesColor(place), borderRadius: drawing.isStacked ? 0 : 2 },
    emphasis: { disabled: true },
    label: {
      show: hasRoom,
      position: labelPlace(drawing, style.isMirrored === true),
      color: style.ink,
      fontSize: 12,
      formatter: ({ value }: { value: unknown }) =>
        typeof value === 'number' ? style.valueText(drawing.measure, value) : '',
    },
  }))

const valueAxis = (drawing: Drawing, style: DrawingStyle, ticks: number) => ({
  type: 'value',
  splitNumber: ticks,
  ...(drawing.measure === 'count' && { minInterval: 1 }),
  axisLabel: {
    color: style.faint,
    fontSize: 12,
    formatter: (value: number) => style.axisText(drawing.measure, value),
  },
  axisLine: { show: false },
  axisTick: { show: false },
  splitLine: { lineStyle: { color: style.line } },
})

const categoryAxis = (labels: readonly string[], style: DrawingStyle, axisLabel: object) => ({
  type: 'category',
  data: labels,
  axisLabel: { color: style.ink, fontSize, lineHeight, ...axisLabel },
  axisLine: { lineStyle: { color: style.line } },
  axisTick: { show: false },
})

/** Categories below each other; a third of the width is for their words. */
const across = (drawing: Drawing, width: number, style: DrawingStyle): Layout => {
  const room = Math.round(Math.min(240, width * 0.36))
  const labels = drawing.categories.map((text) => wrapped(text, Math.floor((room - 12) / letterWidth), 2))
  const barsEach = drawing.isStacked ? 1 : drawing.series.length
  const each = Math.max(40, 12 + barsEach * 18)
  const numberRoom = drawing.isStacked ? 14 : 64
  const [left, right] = style.isMirrored ? [numberRoom, room] : [room, numberRoom]
  return {
    height: labels.length * each + 32,
    option: {
      grid: { left, right, top: 4, bottom: 26, ...asGiven },
      yAxis: {
        ...categoryAxis(labels, style, { interval: 0 }),
        inverse: true,
        ...(style.isMirrored && { position: 'right' }),
      },
      xAxis: { ...valueAxis(drawing, style, width < 500 ? 3 : 5), ...(style.isMirrored && { inverse: true }) },
      series: seriesOf(drawing, style, !drawing.isStacked),
    },
  }
}

/** Categories beside each other, as many of their labels as there is room for. */
const up = (drawing: Drawing, width: number, style: DrawingStyle): Layout => {
  const labels = drawing.categories.map((text) => wrapped(text, 14, 1))
  const longest = Math.max(1, ...labels.map(({ length }) => length))
  const isRoomy = (width - 70) / Math.max(labels.length, 1) > 34
  const step = Math.ceil(((longest + 1.5) * letterWidth) / ((width - 70) / Math.max(labels.length, 1)))
  const [left, right] = style.isMirrored ? [18, 46] : [46, 18]
  return {
    height: width < 500 ? 260 : 340,
    option: {
      grid: { left, right, top: 24, bottom: 28, ...asGiven },
      xAxis: {
        ...categoryAxis(labels, style, { interval: Math.max(0, step - 1), hideOverlap: true }),
        ...(style.isMirrored && { inverse: true }),
      },
      yAxis: { ...valueAxis(drawing, style, 4), ...(style.isMirrored && { position: 'right' }) },
      series: seriesOf(drawing, style, isRoomy && !drawing.isStacked && drawing.series.length === 1),
    },
  }
}

export const layoutOf = (drawing: Drawing, width: number, style: DrawingStyle): Layout =>
  (drawing.direction === 'across' ? across : up)(drawing, width, style)
