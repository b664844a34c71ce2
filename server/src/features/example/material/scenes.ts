// Pictures for the example: small scenes, drawn anew for every record, that show what its answers say.
import type { Chance } from './chance.js'

export type Roof = 'thatch' | 'iron' | 'tiles'
export type Source = 'piped' | 'standpipe' | 'borehole' | 'spring' | 'rain' | 'river'

const sceneWidth = 480
const sceneHeight = 360

const horizon = 212

interface Light {
  readonly sky: readonly [top: string, bottom: string]
  readonly sun: string
  readonly grass: readonly [far: string, near: string]
}

const lights: readonly Light[] = [
  { sky: ['#4f9bd8', '#cfe8f6'], sun: '#fff8de', grass: ['#93b866', '#649647'] },
  { sky: ['#6fb1e0', '#d8edf7'], sun: '#fff6d5', grass: ['#8fb56a', '#5f8f45'] },
  { sky: ['#8fa8c4', '#eee3d2'], sun: '#fff1cf', grass: ['#a3a860', '#7c8746'] },
  { sky: ['#f0a868', '#fbe3b8'], sun: '#fffbe8', grass: ['#9aa055', '#6b7a3c'] },
  { sky: ['#a9b8c4', '#e4e9ec'], sun: '#f7f7f2', grass: ['#7fa06a', '#557a4a'] },
]

const ellipse = (x: number, y: number, rx: number, ry: number, fill: string, more = ''): string =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}" ${more}/>`
const shape = (points: string, fill: string, more = ''): string => `<path d="${points}" fill="${fill}" ${more}/>`
const box = (x: number, y: number, width: number, height: number, fill: string, more = ''): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}" ${more}/>`
const line = (points: string, stroke: string, width: number): string =>
  `<path d="${points}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`

const hills = (chance: Chance, fill: string, top: number, height: number): string => {
  const heights = Array.from({ length: 6 }, () => top + chance.between(0, height))
  const curve = heights.map((y, at) => `S ${at * 96 + 48} ${y} ${(at + 1) * 96} ${top + chance.between(0, height)}`)
  return shape(`M 0 ${top + height / 2} ${curve.join(' ')} L ${sceneWidth} 300 L 0 300 Z`, fill)
}

const tree = (chance: Chance, x: number, y: number, size: number): string => {
  const leaf = chance.oneOf(['#4d7d3c', '#5b8a44', '#3f6b35', '#6c8f3f'])
  return [
    ellipse(x, y + 2, size * 0.5, size * 0.09, '#00000022'),
    shape(
      `M ${x - size * 0.05} ${y} L ${x - size * 0.03} ${y - size * 0.6} L ${x + size * 0.03} ${y - size * 0.6} L ${x + size * 0.06} ${y} Z`,
      '#6b4a32',
    ),
    ellipse(x - size * 0.22, y - size * 0.66, size * 0.3, size * 0.2, leaf),
    ellipse(x + size * 0.22, y - size * 0.7, size * 0.3, size * 0.21, leaf),
    ellipse(x, y - size * 0.84, size * 0.34, size * 0.24, leaf),
    ellipse(x - size * 0.08, y - size * 0.92, size * 0.16, size * 0.1, '#ffffff22'),
  ].join('')
}

const banana = (x: number, y: number, size: number): string => {
  const leaves = [-70, -35, 0, 35, 70].map((turn) =>
    shape(
      `M ${x} ${y - size * 0.5} q ${size * 0.16} ${-size * 0.3} 0 ${-size * 0.55} q ${-size * 0.16} ${size * 0.25} 0 ${size * 0.55} Z`,
      turn % 2 === 0 ? '#6fa04a' : '#5d8f42',
      `transform="rotate(${turn} ${x} ${y - size * 0.5})"`,
    ),
  )
  return `${line(`M ${x} ${y} L ${x} ${y - size * 0.5}`, '#8a9a4e', size * 0.08)}${leaves.join('')}`
}

const ground = (chance: Chance): { behind: string; front: string } => {
  const { sky, sun, grass } = chance.oneOf(lights)
  const sunAt = chance.between(60, 420)
  const clouds = Array.from({ length: chance.between(1, 3) }, () => {
    const [x, y, size] = [chance.between(20, 440), chance.between(26, 100), chance.between(18, 40)]
    return `<g fill="#ffffff" opacity="0.75">${ellipse(x, y, size, size * 0.3, '#fff')}${ellipse(x - size * 0.5, y + 4, size * 0.6, size * 0.22, '#fff')}${ellipse(x + size * 0.4, y - size * 0.18, size * 0.5, size * 0.3, '#fff')}</g>`
  })
  const behind = [
    '<defs>',
    `<linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${sky[0]}"/><stop offset="1" stop-color="${sky[1]}"/></linearGradient>`,
    `<linearGradient id="grass" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${grass[0]}"/><stop offset="1" stop-color="${grass[1]}"/></linearGradient>`,
    '</defs>',
    box(0, 0, sceneWidth, sceneHeight, 'url(#sky)'),
    ellipse(sunAt, 70, 60, 60, sun, 'opacity="0.35"'),
    ellipse(sunAt, 70, 26, 26, sun),
    ...clouds,
    hills(chance, '#7f9a92', horizon - 60, 34),
    hills(chance, '#6f9070', horizon - 30, 26),
    box(0, horizon, sceneWidth, sceneHeight - horizon, 'url(#grass)'),
  ].join('')
  const tufts = Array.from({ length: 26 }, () => {
    const [x, y] = [chance.between(0, sceneWidth), chance.between(horizon + 40, sceneHeight - 4)]
    return line(`M ${x} ${y} l -3 -8 M ${x} ${y} l 1 -10 M ${x} ${y} l 5 -7`, '#3f6b3566', 1.6)
  })
  return { behind, front: tufts.join('') }
}

const framed = (body: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${sceneWidth}" height="${sceneHeight}" viewBox="0 0 ${sceneWidth} ${sceneHeight}">${body}</svg>`

const thatched = (x: number, wall: string): string =>
  [
    shape(`M ${x - 74} 298 L ${x - 66} 222 L ${x + 66} 222 L ${x + 74} 298 Z`, wall),
    ellipse(x, 298, 74, 12, wall),
    ellipse(x, 300, 80, 10, '#00000022'),
    shape(`M ${x} 118 Q ${x + 26} 176 ${x + 112} 232 Q ${x} 262 ${x - 112} 232 Q ${x - 26} 176 ${x} 118 Z`, '#b08a4f'),
    ...[-80, -52, -26, 0, 26, 52, 80].map((step) =>
      line(`M ${x + step * 0.08} 130 Q ${x + step * 0.5} 190 ${x + step} 240`, '#8d6a38', 2),
    ),
    shape(`M ${x - 20} 306 L ${x - 20} 258 Q ${x} 240 ${x + 20} 258 L ${x + 20} 306 Z`, '#4a3626'),
  ].join('')

const walled = (chance: Chance, x: number, wall: string, roof: 'iron' | 'tiles'): string => {
  const cover = roof === 'iron' ? chance.oneOf(['#9aa6ab', '#a58a7c', '#8fa2ad']) : chance.oneOf(['#b4563e', '#a04a35'])
  const door = chance.oneOf(['#35566b', '#5b3d2a', '#3f6b4b', '#7a3030'])
  const ribs = Array.from({ length: roof === 'iron' ? 19 : 0 }, (_, at) => {
    const step = -108 + at * 12
    return line(`M ${x + step * 0.82} 176 L ${x + step} 222`, '#00000022', 1.6)
  })
  const rows = Array.from({ length: roof === 'tiles' ? 4 : 0 }, (_, at) => {
    const y = 184 + at * 10
    const half = 92 + at * 5
    return line(`M ${x - half} ${y} L ${x + half} ${y}`, '#00000026', 2)
  })
  const panes = (at: number): string =>
    `${box(at, 244, 38, 32, '#3b4b55')}${box(at + 2, 246, 16, 28, '#9fc1d1')}${box(at + 20, 246, 16, 28, '#86aebf')}`
  return [
    ellipse(x, 304, 116, 10, '#00000022'),
    box(x - 96, 216, 192, 86, wall),
    box(x - 96, 286, 192, 16, '#00000018'),
    shape(`M ${x - 112} 222 L ${x - 90} 174 L ${x + 90} 174 L ${x + 112} 222 Z`, cover),
    ...ribs,
    ...rows,
    box(x - 112, 220, 224, 5, '#00000030'),
    box(x - 17, 240, 34, 62, door),
    ellipse(x + 10, 272, 2, 2, '#e8d9a0'),
    panes(x - 76),
    panes(x + 38),
  ].join('')
}

export const houseScene = (chance: Chance, roof: Roof): string => {
  const { behind, front } = ground(chance)
  const x = chance.between(206, 274)
  const wall = chance.oneOf(
    roof === 'thatch' ? ['#b98a5e', '#a8794f', '#c29a6c'] : ['#d9c6a5', '#e3d8c4', '#c9b393', '#cfd6cf'],
  )
  const house = roof === 'thatch' ? thatched(x, wall) : walled(chance, x, wall, roof)
  const path = shape(
    `M ${x - 14} 304 Q ${x + 8} 330 ${x - 60} 360 L ${x + 10} 360 Q ${x + 50} 330 ${x + 14} 304 Z`,
    '#c7a67a',
  )
  const left = chance.inHundred(50)
  const beside = chance.inHundred(60)
    ? tree(chance, left ? chance.between(46, 84) : chance.between(396, 440), 292, chance.between(110, 150))
    : banana(left ? chance.between(52, 80) : chance.between(400, 430), 300, chance.between(90, 120))
  return framed([behind, front, tree(chance, left ? 420 : 60, 244, 62), house, path, beside].join(''))
}

const can = (x: number, y: number, fill: string): string =>
  `${box(x, y, 24, 30, fill, 'rx="4"')}${box(x + 7, y - 6, 10, 8, fill, 'rx="2"')}${box(x + 3, y + 4, 4, 22, '#ffffff33', 'rx="2"')}`

const drops = (x: number, y: number, length: number): string =>
  `${line(`M ${x} ${y} L ${x} ${y + length}`, '#bfe3f2', 5)}${line(`M ${x + 1} ${y} L ${x + 1} ${y + length}`, '#ffffffaa', 1.5)}`

const standpipe = (x: number): string =>
  [
    shape(`M ${x - 74} 312 L ${x - 56} 286 L ${x + 74} 286 L ${x + 92} 312 Z`, '#b9b4aa'),
    box(x - 6, 168, 14, 122, '#8d949a'),
    line(`M ${x} 178 L ${x + 44} 178 L ${x + 44} 196`, '#6f777d', 10),
    box(x + 26, 164, 18, 6, '#b23b35', 'rx="3"'),
    drops(x + 44, 204, 52),
    can(x + 32, 262, '#e0b13a'),
    can(x - 44, 274, '#3f78b5'),
  ].join('')

const borehole = (x: number): string =>
  [
    shape(`M ${x - 84} 316 L ${x - 62} 284 L ${x + 84} 284 L ${x + 104} 316 Z`, '#b3ada2'),
    box(x - 14, 196, 30, 92, '#3d6f8f', 'rx="4"'),
    box(x - 20, 184, 42, 16, '#335d78', 'rx="4"'),
    line(`M ${x} 188 L ${x - 92} 150`, '#4a4f53', 8),
    line(`M ${x + 14} 226 L ${x + 52} 226 L ${x + 54} 240`, '#335d78', 9),
    drops(x + 54, 246, 16),
    can(x + 42, 268, '#e0b13a'),
  ].join('')

const spring = (x: number): string =>
  [
    shape(`M ${x - 110} 300 Q ${x - 96} 206 ${x - 20} 200 Q ${x + 70} 190 ${x + 104} 300 Z`, '#8b8578'),
    ellipse(x - 50, 256, 30, 20, '#9b9587'),
    ellipse(x + 44, 250, 34, 24, '#7d776b'),
    line(`M ${x - 6} 258 L ${x + 26} 264`, '#5f6468', 9),
    shape(`M ${x + 26} 266 Q ${x + 44} 290 ${x + 36} 312 L ${x + 22} 312 Q ${x + 30} 286 ${x + 22} 266 Z`, '#bfe3f2'),
    ellipse(x + 26, 320, 96, 18, '#7fb4cc'),
    ellipse(x + 18, 317, 60, 8, '#ffffff44'),
  ].join('')

const tank = (x: number): string =>
  [
    box(x - 96, 176, 70, 126, '#d5c3a2'),
    shape(`M ${x - 108} 182 L ${x - 92} 148 L ${x - 10} 164 L ${x - 10} 182 Z`, '#97a3a8'),
    line(`M ${x - 14} 180 L ${x + 24} 188`, '#7d868b', 7),
    box(x - 2, 190, 84, 112, '#3a5a52', 'rx="10"'),
    ...[206, 226, 246, 266].map((y) => box(x - 2, y, 84, 4, '#00000030')),
    ellipse(x + 40, 190, 42, 9, '#47695f'),
    line(`M ${x + 82} 286 L ${x + 96} 286`, '#8d949a', 7),
    can(x + 88, 276, '#e0b13a'),
  ].join('')

const river = (chance: Chance): string => {
  const waves = Array.from({ length: 14 }, () => {
    const [x, y] = [chance.between(10, 440), chance.between(262, 350)]
    return line(`M ${x} ${y} q 10 -5 20 0 t 20 0`, '#ffffff66', 2)
  })
  const reeds = Array.from({ length: 16 }, () => {
    const x = chance.between(0, 150)
    return line(`M ${x} 300 q -4 -30 ${chance.between(-10, 10)} -56`, '#5d7f3f', 3)
  })
  return [
    shape('M 0 264 Q 120 230 260 248 T 480 236 L 480 360 L 0 360 Z', '#6ea3bd'),
    shape('M 0 300 Q 140 270 300 290 T 480 284 L 480 360 L 0 360 Z', '#5b92ae'),
    ...waves,
    ...reeds,
    shape('M 300 360 Q 350 318 480 316 L 480 360 Z', '#b99a68'),
    can(392, 310, '#e0b13a'),
    can(426, 306, '#3f78b5'),
  ].join('')
}

export const waterScene = (chance: Chance, source: Source): string => {
  const { behind, front } = ground(chance)
  const x = chance.between(200, 270)
  const beside = tree(chance, chance.inHundred(50) ? 70 : 420, 262, chance.between(90, 130))
  if (source === 'river') return framed(`${behind}${beside}${river(chance)}`)
  const drawn = { piped: standpipe, standpipe, borehole, spring, rain: tank }[source](x)
  return framed([behind, front, beside, drawn].join(''))
}
