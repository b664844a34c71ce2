// The look: both ways into the dark are the same, and everything can be read.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const css = readFileSync(new URL('../../server/static/tokens.css', import.meta.url), 'utf8')

const valuesIn = (block: string) =>
  Object.fromEntries([...block.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value]))
const between = (from: string, to: string) => css.slice(css.indexOf(from), css.indexOf(to, css.indexOf(from)))

const light = valuesIn(between(':root {', '@media (prefers-color-scheme'))
const dark = valuesIn(between('@media (prefers-color-scheme: dark)', ':root[data-look="dark"]'))
const chosen = valuesIn(between(':root[data-look="dark"]', ':root {\n  --font'))

const channel = (value: number) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
const luminance = (hex: string) => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => channel(Number.parseInt(hex.slice(at, at + 2), 16) / 255))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
const contrast = (a: string, b: string) => {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (high + 0.05) / (low + 0.05)
}

const grounds = ['paper', 'card', 'sunken', 'hover']
const pairs = [
  ...['ink', 'soft', 'faint'].flatMap((text) => grounds.map((ground) => [text, ground, 4.5] as const)),
  ...['accent', 'fault', 'warn', 'info'].flatMap((text) =>
    ['paper', 'card', `${text}-soft`].map((ground) => [text, ground, 4.5] as const),
  ),
  ...['accent', 'warn', 'info', 'fault'].map((name) => ['ink', `${name}-soft`, 4.5] as const),
  ['soft', 'accent-soft', 4.5] as const,
  ['on-accent', 'accent', 4.5] as const,
  ['on-accent', 'accent-strong', 4.5] as const,
  ['on-accent', 'fault', 4.5] as const,
  ...['paper', 'card'].map((ground) => ['field', ground, 3] as const),
  ...[1, 2, 3, 4, 5, 6, 7, 8].map((n) => [`chart-${n}`, 'card', 3] as const),
]

describe('tokens', () => {
  it('are the same whether the system is dark or the person chose it', () => {
    expect(Object.keys(light).length).toBeGreaterThan(25)
    expect(chosen).toEqual(dark)
    expect(Object.keys(dark)).toEqual(Object.keys(light))
  })

  it.each([
    ['light', light],
    ['dark', dark],
  ])('can be read in the %s look', (_name, values) => {
    const weak = pairs
      .map(([text, ground, least]) => ({
        pair: `${text} on ${ground}`,
        least,
        is: contrast(values[text] ?? '', values[ground] ?? ''),
      }))
      .filter(({ least, is }) => !(is >= least))
      .map(({ pair, is }) => `${pair}: ${is.toFixed(2)}`)
    expect(weak).toEqual([])
  })
})
