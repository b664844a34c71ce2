import { expect, it } from 'vitest'
import { addressIn, isChunkFault } from './chunks'

it('knows a chunk that did not come by the words of each browser, and by nothing else', () => {
  const said = [
    'Failed to fetch dynamically imported module: http://a.example/assets/map-1.js',
    'error loading dynamically imported module: http://a.example/assets/map-1.js',
    'Importing a module script failed.',
    'Unable to preload CSS for /assets/map-1.css',
  ]
  expect(said.map((message) => isChunkFault(new TypeError(message)))).toEqual([true, true, true, true])
  expect(isChunkFault(new TypeError('x is undefined'))).toBe(false)
})

it('finds the address of the chunk where the browser says it', () => {
  const said = ['module: http://a.example/assets/map-1.js', 'CSS for /assets/map-1.css', 'a module script failed.']
  expect(said.map(addressIn)).toEqual(['http://a.example/assets/map-1.js', '/assets/map-1.css', undefined])
})
