// What the renderer of forms ships and a page of ours does not want: fonts (610 KB of 1,011), two calls of `eval` that are never
// made but forbid to shorten names, and the address of a foreign server of map pictures.
import type { Plugin } from 'vite'

/** Where maps of forms ask for pictures; `fill/form/tiles.ts` turns it into the address of the settings, or into none. */
export const tilesAddress = '/f/no-tiles/{z}/{x}/{y}.png'

const cuts: readonly (readonly [RegExp, string])[] = [
  [/@font-face\s*\{[^}]*\}/g, ''],
  [/\beval\(func\)/g, '(()=>{throw new Error("no eval")})()'],
  [/https:\/\/tile\.openstreetmap\.org\/\{z\}\/\{x\}\/\{y\}\.png/g, tilesAddress],
]

export const slimWebForms = (): Plugin => ({
  name: 'slim-web-forms',
  enforce: 'pre',
  transform(code, id) {
    if (!id.includes('/@getodk/web-forms/dist/')) return undefined
    return { code: cuts.reduce((text, [pattern, by]) => text.replace(pattern, by), code), map: null }
  },
})
