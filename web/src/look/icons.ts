// The icons: lines on a field of 24. Each is a constant of its own, so that only those that are used are sent.

export interface Glyph {
  readonly path: string
  /** It points to a side, and is turned round where text runs from right to left. */
  readonly points?: boolean
}

const glyph = (path: string): Glyph => ({ path })
const pointing = (path: string): Glyph => ({ path, points: true })

export const plus = glyph('M12 5v14M5 12h14')
export const minus = glyph('M5 12h14')
export const cross = glyph('M6 6l12 12M18 6L6 18')
export const check = glyph('M5 12.5l4.5 4.5L19 7.5')
export const search = glyph('M11 4a7 7 0 100 14 7 7 0 000-14zM16 16l4.5 4.5')
export const chevronDown = glyph('M6 9l6 6 6-6')
export const chevronUp = glyph('M6 15l6-6 6 6')
export const chevronEnd = pointing('M9 6l6 6-6 6')
export const chevronStart = pointing('M15 6l-6 6 6 6')
export const arrowEnd = pointing('M4 12h16M14 6l6 6-6 6')
export const arrowStart = pointing('M20 12H4M10 6l-6 6 6 6')
export const arrowUp = glyph('M12 20V4M6 10l6-6 6 6')
export const arrowDown = glyph('M12 4v16M6 14l6 6 6-6')
export const external = pointing('M14 4h6v6M20 4l-9 9M18 14v5a1 1 0 01-1 1H5a1 1 0 01-1-1V7a1 1 0 011-1h5')
export const dots = glyph('M4.5 12h1M11.5 12h1M18.5 12h1')
export const dragHandle = glyph('M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01')
export const home = glyph('M4 11l8-7 8 7v8a1 1 0 01-1 1h-4v-6H9v6H5a1 1 0 01-1-1z')
export const folder = glyph('M4 6a1 1 0 011-1h4.5l2 2.5H19a1 1 0 011 1V18a1 1 0 01-1 1H5a1 1 0 01-1-1z')
export const form = glyph('M6 3h9l4 4v13a1 1 0 01-1 1H6a1 1 0 01-1-1V4a1 1 0 011-1zM15 3v4h4M8.5 12h7M8.5 16h5')
export const table = glyph('M4 5h16v14H4zM4 10h16M4 14.5h16M10 10v9')
export const map = glyph('M9 5L4 7v12l5-2 6 2 5-2V5l-5 2zM9 5v12M15 7v12')
export const lasso = glyph('M6 8l8-3 5 6-2 6-8 1-4-5zM6 6.5v3M19 9.5v3M9 16.5v3')
export const pin = glyph(
  'M12 21s6.5-6 6.5-11a6.5 6.5 0 10-13 0c0 5 6.5 11 6.5 11zM12 12.2a2.2 2.2 0 100-4.4 2.2 2.2 0 000 4.4z',
)
export const chart = glyph('M4 4v16h16M8 16v-4M12 16V8M16 16v-6')
export const dashboard = glyph('M4 4h7v9H4zM13 4h7v5h-7zM13 11h7v9h-7zM4 15h7v5H4z')
export const image = glyph('M4 5h16v14H4zM4 16l4.5-4.5 4 4 2.5-2.5 5 5M15 9.5h.01')
export const phone = glyph('M7 3h10v18H7zM11 18h2')
export const laptop = glyph('M5 5h14v10H5zM3 19h18')
export const qr = glyph('M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2h-2zM18 18h2v2h-2zM18 14h2M14 18v2')
export const versions = glyph('M8 4h12v12H8zM4 8v12h12')
export const settings = glyph(
  'M4 7h9M17 7h3M4 17h3M11 17h9M15 9.5a2.5 2.5 0 100-5 2.5 2.5 0 000 5zM9 19.5a2.5 2.5 0 100-5 2.5 2.5 0 000 5z',
)
export const people = glyph(
  'M9 11a3.5 3.5 0 100-7 3.5 3.5 0 000 7zM3 20c0-3.5 2.7-6 6-6s6 2.5 6 6M16 4.5a3.5 3.5 0 010 6.5M18 14.5c1.9.8 3 2.8 3 5.5',
)
export const person = glyph('M12 11.5a4 4 0 100-8 4 4 0 000 8zM4.5 20.5c0-4 3.3-6.5 7.5-6.5s7.5 2.5 7.5 6.5')
export const building = glyph('M5 20V5l8-2v17M13 8l6 2v10M3 20h18M8 8h2M8 12h2M8 16h2')
export const lock = glyph('M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 017 0v3')
export const globe = glyph(
  'M12 21a9 9 0 100-18 9 9 0 000 18zM3 12h18M12 3c2.5 2.5 3.8 5.5 3.8 9s-1.3 6.5-3.8 9c-2.5-2.5-3.8-5.5-3.8-9S9.5 5.5 12 3z',
)
export const eye = glyph(
  'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 15a3 3 0 100-6 3 3 0 000 6z',
)
export const eyeOff = glyph(
  'M4 4l16 16M9.5 9.6A3 3 0 0014.4 14.5M6.5 7C4 8.8 2.5 12 2.5 12s3.5 6.5 9.5 6.5c1.7 0 3.2-.5 4.5-1.3M10 5.8c.6-.2 1.3-.3 2-.3 6 0 9.5 6.5 9.5 6.5s-.7 1.4-2.1 2.9',
)
export const star = glyph('M12 4l2.5 5.2 5.7.8-4.1 4 1 5.7-5.1-2.7-5.1 2.7 1-5.7-4.1-4 5.7-.8z')
export const bell = glyph('M6 16V11a6 6 0 0112 0v5l1.5 2h-15zM10 20.5h4')
export const download = glyph('M12 4v11M7 10.5l5 5 5-5M4.5 20h15')
export const upload = glyph('M12 16V5M7 9.5l5-5 5 5M4.5 20h15')
export const trash = glyph('M4.5 7h15M9.5 7V4.5h5V7M6.5 7l1 13h9l1-13M10 11v5.5M14 11v5.5')
export const undo = pointing('M8 5L4 9l4 4M4 9h10a6 6 0 010 12h-3')
export const redo = pointing('M16 5l4 4-4 4M20 9H10a6 6 0 000 12h3')
export const refresh = glyph('M4.5 12a7.5 7.5 0 0113-5L20 9.5M20 4.5v5h-5M19.5 12a7.5 7.5 0 01-13 5L4 14.5M4 19.5v-5h5')
export const edit = glyph('M4 20h4L19.5 8.5l-4-4L4 16zM13 7l4 4')
export const copy = glyph('M9 9h11v11H9zM5 15H4V4h11v1')
export const link = glyph('M10 14a4 4 0 006 .5l3-3a4 4 0 00-6-6l-1 1M14 10a4 4 0 00-6-.5l-3 3a4 4 0 006 6l1-1')
export const filter = glyph('M4 5h16l-6 7.5V19l-4-2v-4.5z')
export const columns = glyph('M4 5h16v14H4zM9.3 5v14M14.7 5v14')
export const calendar = glyph('M4 6h16v14H4zM4 10.5h16M8 3.5v4M16 3.5v4')
export const clock = glyph('M12 21a9 9 0 100-18 9 9 0 000 18zM12 7.5V12l3 2')
export const tag = glyph('M4 4h8l8 8-8 8-8-8zM8 8h.01')
export const note = glyph('M5 4h14v11l-5 5H5zM14 20v-5h5')
export const play = pointing('M8 5l11 7-11 7z')
export const pause = glyph('M8 5v14M16 5v14')
export const warning = glyph('M12 4L2.5 20h19zM12 10v4.5M12 17.3h.01')
export const info = glyph('M12 21a9 9 0 100-18 9 9 0 000 18zM12 11v5.5M12 7.7h.01')
export const help = glyph('M12 21a9 9 0 100-18 9 9 0 000 18zM9.5 9.3a2.6 2.6 0 115 .8c0 1.7-2.5 2-2.5 3.9M12 17h.01')
export const sun = glyph(
  'M12 16.5a4.5 4.5 0 100-9 4.5 4.5 0 000 9zM12 2.5V4M12 20v1.5M2.5 12H4M20 12h1.5M5.3 5.3l1 1M17.7 17.7l1 1M18.7 5.3l-1 1M6.3 17.7l-1 1',
)
export const moon = glyph('M20 14.5A8.5 8.5 0 019.5 4 8.5 8.5 0 1020 14.5z')
export const language = glyph(
  'M4 6h9M8.5 4v2M11 6c-.8 3.8-3 6.5-6.5 8M6.5 9c1 2.3 2.8 4 5.5 5M12.5 20l4-10 4 10M14 17h5',
)
export const signOut = pointing('M10 4H5v16h5M14 8l4 4-4 4M18 12H9')
export const server = glyph('M4 4h16v7H4zM4 13h16v7H4zM7.5 7.5h.01M7.5 16.5h.01')
export const offline = glyph(
  'M4 4l16 16M8.5 14a5 5 0 017 0M5 10.5c1-1 2.2-1.7 3.5-2.1M12 8c2.7 0 5.1 1 7 2.5M12 18.5h.01',
)
export const flag = glyph('M6 21V4h12l-2.5 4L18 12H6')
export const expand = glyph('M9 4H4v5M15 4h5v5M4 15v5h5M20 15v5h-5')
export const keyboard = glyph('M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M17.5 10h.01M8 14h8')
export const send = pointing('M4 12l16-8-6 16-3-6.5z')
export const archive = glyph('M4 4h16v4H4zM5.5 8v12h13V8M10 12h4')
