// A chart as a file: a picture that stands by itself, or the numbers as a table.
import { saveFile } from '../save-file'

const colored = ['fill', 'stroke', 'style'] as const

/** Variables of the page mean nothing elsewhere: what they are now is written in their place. */
const resolved = (text: string, styles: CSSStyleDeclaration): string =>
  text.replace(/var\((--[\w-]+)\)/g, (all, name: string) => styles.getPropertyValue(name).trim() || all)

const standalone = (svg: SVGElement, title: string): { text: string; width: number; height: number } => {
  const styles = getComputedStyle(document.documentElement)
  const { width, height } = svg.getBoundingClientRect()
  const head = 44
  const copy = svg.cloneNode(true) as SVGElement
  for (const element of [copy, ...copy.querySelectorAll('*')]) {
    for (const name of colored) {
      const value = element.getAttribute(name)
      if (value !== null) element.setAttribute(name, resolved(value, styles))
    }
  }
  const space = 'http://www.w3.org/2000/svg'
  const whole = document.createElementNS(space, 'svg')
  for (const [name, value] of Object.entries({
    width,
    height: height + head,
    viewBox: `0 0 ${width} ${height + head}`,
  }))
    whole.setAttribute(name, String(value))
  const ground = document.createElementNS(space, 'rect')
  for (const [name, value] of Object.entries({
    width: '100%',
    height: '100%',
    fill: styles.getPropertyValue('--card').trim(),
  }))
    ground.setAttribute(name, value)
  const heading = document.createElementNS(space, 'text')
  for (const [name, value] of Object.entries({
    x: '12',
    y: '27',
    fill: styles.getPropertyValue('--ink').trim(),
    'font-family': 'system-ui, sans-serif',
    'font-size': '15',
    'font-weight': '600',
  }))
    heading.setAttribute(name, value)
  heading.textContent = title.length > 90 ? `${title.slice(0, 89)}…` : title
  copy.setAttribute('y', String(head))
  copy.removeAttribute('style')
  whole.append(ground, heading, copy)
  return { text: new XMLSerializer().serializeToString(whole), width, height: height + head }
}

/** Names of files hold no signs that some systems refuse. */
export const fileNameOf = (title: string, ending: string): string => {
  const name = title
    .replace(/[\p{Cc}\\/:*?"<>|]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 80)
  return `${name || 'chart'}.${ending}`
}

export const saveSvg = (svg: SVGElement, title: string): void => {
  const { text } = standalone(svg, title)
  saveFile(new Blob([text], { type: 'image/svg+xml' }), fileNameOf(title, 'svg'))
}

export const savePng = async (svg: SVGElement, title: string): Promise<void> => {
  const { text, width, height } = standalone(svg, title)
  const address = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = address
    await image.decode()
    const canvas = document.createElement('canvas')
    // Twice as fine: it goes into reports.
    canvas.width = width * 2
    canvas.height = height * 2
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
    if (blob !== null) saveFile(blob, fileNameOf(title, 'png'))
  } finally {
    URL.revokeObjectURL(address)
  }
}

/** A cell that a spreadsheet would take for a formula begins with a quote mark. */
const cell = (value: string | number): string => {
  if (typeof value === 'number') return String(value)
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const csvOf = (headings: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [headings, ...rows].map((row) => row.map(cell).join(',')).join('\r\n')

export const saveCsv = (
  headings: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  title: string,
): void => {
  // The mark at the beginning tells spreadsheets that it is UTF-8.
  saveFile(new Blob([`\ufeff${csvOf(headings, rows)}\r\n`], { type: 'text/csv' }), fileNameOf(title, 'csv'))
}
