// The page of a chart: a picture that a server drew, the same numbers as a table, and ways to look at them differently.
import { cutTo } from '@sheaf/xlsform/text'
import { type ChartField, counted, type Figure } from '../../formats/charts/index.js'
import { escapeHtml, page } from '../../platform/http/index.js'
import type { Drawer } from './drawing/thread.js'
import { forPage, type Look, takesSeveral, unitsOf } from './look.js'
import { script, style } from './page-look.js'
import type { Subject } from './subject.js'

export interface PageRequest {
  readonly subject: Subject
  readonly field: ChartField
  readonly groups: readonly ChartField[]
  readonly look: Look
  /** Of the subject's charts, without a suffix. */
  readonly address: string
  readonly now: Date
  /** Who looks at it. */
  readonly viewer: string
}

/** Drawn for a desk and for a phone: letters are as large on both. */
const widths = [800, 340]

type Change = Partial<{ sort: string; unit: string; by: string; period: string; refresh: string }>

const queryOf = ({ subject, field, groups, look }: PageRequest, change: Change = {}): string => {
  const asked = {
    ...subject.narrowing,
    field_name: field.path,
    ...(groups.length > 0 && { group_by: groups.map(({ path }) => path).join(',') }),
    ...(look.order === 'value' && { sort: 'value' }),
    ...(look.unit === 'percent' && { unit: 'percent' }),
    ...(look.by === 'combination' && { by: 'combination' }),
    ...(groups.some(({ period }) => period === 'month') && { period: 'month' }),
    ...change,
  }
  return `?${new URLSearchParams(asked).toString()}`
}

const link = (href: string, text: string, isCurrent = false): string =>
  `<a href="${escapeHtml(href)}"${isCurrent ? ' aria-current="true"' : ''}>${escapeHtml(text)}</a>`

const way = (name: string, links: readonly string[]): string =>
  `<div class="way" role="group" aria-label="${name}">${links.join('')}</div>`

const ways = (request: PageRequest, figure: Figure): string => {
  const { look } = request
  const units = way('What bars show', [
    link(queryOf(request, { unit: 'count' }), 'Counts', look.unit === 'count'),
    link(queryOf(request, { unit: 'percent' }), 'Percent', look.unit === 'percent'),
  ])
  const orders = way('Order of the bars', [
    link(queryOf(request, { sort: 'count' }), 'Most frequent', look.order === 'count'),
    link(queryOf(request, { sort: 'value' }), 'By value', look.order === 'value'),
  ])
  const choices = way('What is counted', [
    link(queryOf(request, { by: 'choice' }), 'Each choice', look.by === 'choice'),
    link(queryOf(request, { by: 'combination' }), 'Combinations', look.by === 'combination'),
  ])
  const isByMonth = request.groups.some(({ period }) => period === 'month')
  const periods = way('Length of a group', [
    link(queryOf(request, { period: 'day' }), 'Days', !isByMonth),
    link(queryOf(request, { period: 'month' }), 'Months', isByMonth),
  ])
  const isSeveral = takesSeveral(request.field) && request.groups.length === 0
  const isByTime = request.groups.some(({ dataType }) => dataType === 'time_based')
  const hasOrder = figure.direction === 'across' && figure.series.length === 1 && figure.measure !== 'mean'
  return `<nav class="ways" aria-label="Ways to look at it">${isSeveral ? choices : ''}${isByTime ? periods : ''}${figure.measure === 'mean' ? '' : units}${hasOrder ? orders : ''}
<div class="way look" hidden></div></nav>`
}

const longText = 300
/** Whose writing direction is unknown, and perhaps long. */
const words = (text: string): string =>
  `<bdi${text.length > longText ? ' class="long"' : ''} title="${escapeHtml(text)}">${escapeHtml(text)}</bdi>`

const table = (caption: string, { headings, words: wordy, rows, places }: Figure['table']): string => {
  const kind = (place: number) => (place < wordy ? '' : ' class="number"')
  const head = headings.map((text, place) => `<th scope="col"${kind(place)}><bdi>${escapeHtml(text)}</bdi></th>`)
  const lines = rows.map((cells, row) => {
    const made = cells.map((text, place) =>
      place === 0
        ? `<th scope="row">${words(text)}</th>`
        : `<td${kind(place)}>${place < wordy ? words(text) : escapeHtml(text)}</td>`,
    )
    return `<tr data-place="${places[row] ?? -1}">${made.join('')}</tr>`
  })
  // Wide ones are moved within their own box: a page that is wider than a phone is hard to read.
  return `<div class="scroll" tabindex="0" role="group" aria-label="${escapeHtml(caption)}"><table><caption>${escapeHtml(caption)}</caption><thead><tr>${head.join('')}</tr></thead>
<tbody>${lines.join('\n')}</tbody></table></div>`
}

const legend = ({ series }: Figure): string =>
  series.length < 2
    ? ''
    : `<ul class="legend">${series
        .map(({ name }, place) => `<li><i style="background: var(--chart-${place + 1})"></i>${words(name)}</li>`)
        .join('')}</ul>`

/** What a screen reader says in place of the picture; the table has all of it. */
const spoken = (field: ChartField, { table: { rows } }: Figure): string => {
  const first = rows.slice(0, 5).map((cells) => `${cutTo(cells[0] ?? '', 60)} ${cells.slice(1).join(', ')}`)
  return `Bar chart of ${field.label}. ${first.join('; ')}${rows.length > 5 ? '; and more in the table below' : ''}.`
}

const picture = async (drawer: Drawer, { field, viewer }: PageRequest, figure: Figure): Promise<string> => {
  const { direction, categories, series, isStacked, isContinuous, measure } = figure
  const drawing = { direction, categories, series, isStacked, isContinuous, measure }
  const [wide, narrow] = await drawer.draw(viewer, drawing, widths)
  const notes = figure.notes.map((note) => `<p>${escapeHtml(note)}</p>`).join('')
  const caption = notes === '' ? '' : `\n<figcaption>${notes}</figcaption>`
  return `<figure>${legend(figure)}
<div class="picture" role="img" aria-label="${escapeHtml(spoken(field, figure))}">
<div class="wide">${wide}</div>
<div class="narrow">${narrow}</div>
</div>${caption}</figure>`
}

/** Whatever is in it cannot end the element that holds it. */
const embedded = (value: object): string => JSON.stringify(value).replace(/</g, '\\u003c')

const otherQuestions = ({ subject, address }: PageRequest): string => {
  const items = [...subject.questions]
    .slice(0, 200)
    .map(([name, field]) => ({ href: `${address}.html?field_name=${encodeURIComponent(name)}`, ...forPage(field) }))
    .map(({ href, label }) => `<li>${link(href, label)}</li>`)
  return `<details><summary>Charts of other questions</summary><ul>${items.join('')}</ul></details>`
}

const facts = ({ facts: known }: Figure): string =>
  known.length === 0
    ? ''
    : `<dl class="facts">${known
        .map(([name, value]) => `<div><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd></div>`)
        .join('')}</dl>`

const emptySentence = (figure: Figure, many: string): string =>
  figure.total === 0
    ? `There are no ${many} yet that a chart could show.`
    : `None of the ${figure.total} ${many} has an answer that a chart could show.`

export const chartPage = async (drawer: Drawer, request: PageRequest, figure: Figure): Promise<string> => {
  const { subject, field, groups, address, now } = request
  const [one, many] = unitsOf(field)
  const by = groups.map(({ label }) => label).join(', ')
  const isEmpty = figure.categories.length === 0
  const { categories, series, measure, total, of } = figure
  const shown = isEmpty
    ? `<p class="empty">${escapeHtml(emptySentence(figure, many))}</p>`
    : `${facts(figure)}${ways(request, figure)}${await picture(drawer, request, figure)}
${table(`The same as numbers: ${field.label}${by === '' ? '' : ` by ${by}`}`, figure.table)}`
  const counting = now.toISOString()
  return page(
    `${field.label} · ${subject.title}`,
    `<p class="of"><bdi>${escapeHtml(subject.title)}</bdi></p>
<h1 dir="auto">${escapeHtml(field.label)}</h1>
<p class="sum">${counted(total, one, many)}${by === '' ? '' : `, grouped by <bdi>${escapeHtml(by)}</bdi>`}</p>
${shown}
<footer><p>Counted on <time datetime="${counting}">${counting.slice(0, 16).replace('T', ' at ')} UTC</time>.
${link(queryOf(request, { refresh: 'true' }), 'Count again')} · ${link(`${address}.json${queryOf(request)}`, 'The data as JSON')}</p>
${otherQuestions(request)}</footer>
<script type="application/json" id="chart-data">${embedded({ categories, series, measure, total: of })}</script>
<script>${script}</script>`,
    style,
  )
}
